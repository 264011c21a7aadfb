// QR codes: known values of the standard, and codes read again by a reader that shares nothing with the writer but the
// arithmetic of the field.
import assert from "node:assert/strict";
import test from "node:test";

import { encode, errorCorrection, multiply } from "../../../../Sources/Console/Web/js/core/qr.js";
import { formatBits, versionBits } from "../../../../Sources/Console/Web/js/core/qrmatrix.js";

test("error correction is that of the standard's example, 01234567 in version 1-M", () => {
  const data = [0x10, 0x20, 0x0c, 0x56, 0x61, 0x80, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11];
  assert.deepEqual(errorCorrection(data, 10), [0xa5, 0x24, 0xd4, 0xc1, 0xed, 0x36, 0xc7, 0x87, 0x2c, 0x55]);
});

test("format and version information are those of the standard's examples", () => {
  assert.equal(formatBits(0b101), 0b100000011001110);
  assert.equal(versionBits(7), 0b000111110010010100);
});

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_:";
const text = (length) => Array.from({ length }, (_, index) => LETTERS[(index * 7 + (index >> 3)) % LETTERS.length]).join("");

test("codes of all lengths can be read", () => {
  for (let length = 0; length <= 287; length++) assert.equal(read(encode(text(length))), text(length), `${length} bytes`);
});

test("text beyond ASCII is UTF-8", () => assert.equal(read(encode("Grüße 📱")), "Grüße 📱"));

test("an FCM token fits, and a longer text is refused", () => {
  assert.equal(encode(text(287)).length, 65);
  assert.throws(() => encode(text(288)), /room for 287 bytes/);
});

/** Codewords for data in each block, and for correction, of level M (table 9 of the standard). */
const BLOCKS = {
  1: [[16], 10], 2: [[28], 16], 3: [[44], 26], 4: [[32, 32], 18], 5: [[43, 43], 24], 6: [[27, 27, 27, 27], 16], 7: [[31, 31, 31, 31], 18],
  8: [[38, 38, 39, 39], 22], 9: [[36, 36, 36, 37, 37], 22], 10: [[43, 43, 43, 43, 44], 26], 11: [[50, 51, 51, 51, 51], 30],
  12: [[36, 36, 36, 36, 36, 36, 37, 37], 22],
};
const CENTRES = { 7: 22, 8: 24, 9: 26, 10: 28, 11: 30, 12: 32 };

function read(rows) {
  const size = rows.length;
  const version = (size - 17) / 4;
  const finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"];
  for (const [left, top] of [[0, 0], [size - 7, 0], [0, size - 7]]) {
    finder.forEach((line, y) => assert.equal(rows[top + y].slice(left, left + 7).map(Number).join(""), line));
  }
  const mask = readFormat(rows);
  const isFixed = fixedOf(version, size);
  const bits = [];
  let y = size - 1;
  let step = -1;
  for (let x = size - 1; x > 0; x -= 2) {
    if (x === 6) x--;
    for (; y >= 0 && y < size; y += step) {
      for (const column of [x, x - 1]) if (!isFixed(column, y)) bits.push(Number(rows[y][column]) ^ Number(isMasked(mask, column, y)));
    }
    step = -step;
    y += step;
  }
  const words = [];
  for (let at = 0; at + 8 <= bits.length; at += 8) words.push(parseInt(bits.slice(at, at + 8).join(""), 2));
  return decode(deinterleave(words, version), version);
}

function readFormat(rows) {
  const one = [...[0, 1, 2, 3, 4, 5, 7, 8].map((x) => rows[8][x]), ...[7, 5, 4, 3, 2, 1, 0].map((y) => rows[y][8])];
  const size = rows.length;
  const other = [...[1, 2, 3, 4, 5, 6, 7].map((from) => rows[size - from][8]), ...[8, 7, 6, 5, 4, 3, 2, 1].map((from) => rows[8][size - from])];
  assert.deepEqual(one, other, "both copies of the format");
  assert.equal(rows[size - 8][8], true, "the dark module");
  const value = parseInt(one.map(Number).join(""), 2) ^ 0b101010000010010;
  assert.equal(value >> 13, 0, "level M");
  return (value >> 10) & 7;
}

function fixedOf(version, size) {
  const last = size - 7;
  const centres = version === 1 ? [] : version < 7 ? [6, last] : [6, CENTRES[version], last];
  return (x, y) => {
    if (x === 6 || y === 6 || (x < 9 && y < 9) || (x >= size - 8 && y < 9) || (x < 9 && y >= size - 8)) return true;
    if (version >= 7 && ((x >= size - 11 && y < 6) || (y >= size - 11 && x < 6))) return true;
    return centres.some((cx) => centres.some((cy) => !(cx === 6 && cy === 6) && !(cx === 6 && cy === last) && !(cx === last && cy === 6)
      && Math.abs(x - cx) <= 2 && Math.abs(y - cy) <= 2));
  };
}

function isMasked(mask, j, i) {
  const product = i * j;
  return [
    (i + j) % 2, i % 2, j % 3, (i + j) % 3, (Math.floor(i / 2) + Math.floor(j / 3)) % 2, (product % 2) + (product % 3),
    ((product % 2) + (product % 3)) % 2, ((product % 3) + ((i + j) % 2)) % 2,
  ][mask] === 0;
}

function deinterleave(words, version) {
  const [lengths, correction] = BLOCKS[version];
  const blocks = lengths.map(() => []);
  let at = 0;
  for (let index = 0; index < Math.max(...lengths); index++) lengths.forEach((length, block) => index < length && blocks[block].push(words[at++]));
  for (let index = 0; index < correction; index++) blocks.forEach((block) => block.push(words[at++]));
  assert.equal(at, words.length, "all codewords are used");
  // A block without errors has the roots 1, 2, 4 … of the code.
  let root = 1;
  for (let power = 0; power < correction; power++) {
    for (const block of blocks) assert.equal(block.reduce((value, word) => multiply(value, root) ^ word, 0), 0, "a syndrome");
    root = multiply(root, 2);
  }
  return blocks.flatMap((block, index) => block.slice(0, lengths[index]));
}

function decode(words, version) {
  const bits = words.map((word) => word.toString(2).padStart(8, "0")).join("");
  assert.equal(bits.slice(0, 4), "0100", "byte mode");
  const start = version < 10 ? 12 : 20;
  const length = parseInt(bits.slice(4, start), 2);
  const bytes = Array.from({ length }, (_, index) => parseInt(bits.slice(start + index * 8, start + index * 8 + 8), 2));
  const padding = words.slice(Math.ceil((start + length * 8 + 4) / 8));
  padding.forEach((word, index) => assert.equal(word, index % 2 === 0 ? 0xec : 0x11, "padding"));
  return new TextDecoder().decode(new Uint8Array(bytes));
}
