// The modules of a QR code: the patterns that readers look for, the codewords in their zigzag, and the mask.

/** By version: the centres of the alignment patterns, in both directions. */
const ALIGNMENTS = [
  [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50], [6, 30, 54], [6, 32, 58],
];

export const MASKS = [
  (x, y) => (x + y) % 2 === 0, (x, y) => y % 2 === 0, (x) => x % 3 === 0, (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0, (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** The code with the mask that makes it easiest to read. */
export function drawCode(version, words) {
  const plain = new Modules(version);
  plain.data(words);
  let best = null;
  for (let mask = 0; mask < MASKS.length; mask++) {
    const rows = plain.masked(mask);
    const penalty = penaltyOf(rows);
    if (!best || penalty < best.penalty) best = { rows, penalty };
  }
  return best.rows;
}

/** A value with its check bits: the remainder of a division by the generator. */
export function withCheck(value, bits, generator) {
  let rest = value;
  for (let index = 0; index < bits; index++) rest = (rest << 1) ^ ((rest >> (bits - 1)) * generator);
  return (value << bits) | rest;
}

/** The 15 bits about level M (whose bits are 00) and the mask. */
export const formatBits = (mask) => withCheck(mask, 10, 0x537) ^ 0x5412;
export const versionBits = (version) => withCheck(version, 12, 0x1f25);

class Modules {
  constructor(version) {
    this.size = version * 4 + 17;
    this.rows = Array.from({ length: this.size }, () => new Array(this.size).fill(false));
    this.fixed = Array.from({ length: this.size }, () => new Array(this.size).fill(false));
    for (let at = 0; at < this.size; at++) {
      this.set(6, at, at % 2 === 0);
      this.set(at, 6, at % 2 === 0);
    }
    this.finder(3, 3);
    this.finder(this.size - 4, 3);
    this.finder(3, this.size - 4);
    this.alignments(ALIGNMENTS[version - 1]);
    this.format(0);
    if (version >= 7) this.version(versionBits(version));
  }

  set(x, y, isDark) {
    if (x < 0 || y < 0 || x >= this.size || y >= this.size) return;
    this.rows[y][x] = isDark;
    this.fixed[y][x] = true;
  }

  square(x, y, radius, isDark) {
    for (let dy = -radius; dy <= radius; dy++) {
      for (let dx = -radius; dx <= radius; dx++) this.set(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
    }
  }

  finder(x, y) {
    this.square(x, y, 4, (distance) => distance !== 2 && distance !== 4);
  }

  alignments(centres) {
    const last = centres.at(-1);
    for (const x of centres) {
      for (const y of centres) {
        const isFinder = (x === 6 && y === 6) || (x === 6 && y === last) || (x === last && y === 6);
        if (!isFinder) this.square(x, y, 2, (distance) => distance !== 1);
      }
    }
  }

  format(mask) {
    const bits = formatBits(mask);
    const { size } = this;
    for (let index = 0; index < 15; index++) {
      const isDark = ((bits >> index) & 1) === 1;
      // Beside the finder at the top left, leaving out the timing pattern.
      if (index < 8) this.set(8, index < 6 ? index : index + 1, isDark);
      else this.set(index === 8 ? 7 : 14 - index, 8, isDark);
      // The copy is divided between the other two.
      if (index < 8) this.set(size - 1 - index, 8, isDark);
      else this.set(8, size - 15 + index, isDark);
    }
    this.set(8, size - 8, true);
  }

  version(bits) {
    for (let index = 0; index < 18; index++) {
      const isDark = ((bits >> index) & 1) === 1;
      const [long, short] = [this.size - 11 + (index % 3), Math.floor(index / 3)];
      this.set(long, short, isDark);
      this.set(short, long, isDark);
    }
  }

  /** Columns of two, from the right, up and down in turn; column 6 is left out. */
  data(words) {
    let at = 0;
    let isUp = true;
    for (let right = this.size - 1; right > 0; right -= 2) {
      if (right === 6) right = 5;
      for (let step = 0; step < this.size; step++) {
        const y = isUp ? this.size - 1 - step : step;
        for (const x of [right, right - 1]) {
          if (this.fixed[y][x]) continue;
          this.rows[y][x] = ((words[at >> 3] ?? 0) >> (7 - (at & 7)) & 1) === 1;
          at++;
        }
      }
      isUp = !isUp;
    }
  }

  masked(mask) {
    this.format(mask);
    return this.rows.map((row, y) => row.map((isDark, x) => (this.fixed[y][x] ? isDark : isDark !== MASKS[mask](x, y))));
  }
}

/** How hard a code is to read: long runs, squares, what looks like a finder, and too much of one colour. */
function penaltyOf(rows) {
  const size = rows.length;
  const columns = rows.map((_, x) => rows.map((row) => row[x]));
  let penalty = 0;
  for (const line of [...rows, ...columns]) {
    const text = line.map((isDark) => (isDark ? "1" : "0")).join("");
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) penalty += run.length - 2;
    for (const pattern of ["10111010000", "00001011101"]) {
      for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) penalty += 40;
    }
  }
  for (let y = 1; y < size; y++) {
    for (let x = 1; x < size; x++) {
      const isDark = rows[y][x];
      if (isDark === rows[y - 1][x] && isDark === rows[y][x - 1] && isDark === rows[y - 1][x - 1]) penalty += 3;
    }
  }
  const dark = rows.flat().filter(Boolean).length;
  return penalty + 10 * Math.floor(Math.abs((dark * 20) / (size * size) - 10));
}
