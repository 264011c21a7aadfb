// QR codes (ISO/IEC 18004): bytes, error correction level M, versions 1 to 12. That is room for 287 bytes; a token of
// FCM has at most 256.

import { drawCode } from "./qrmatrix.js";

/** By version: codewords in all, codewords for error correction in each block, and the number of blocks. */
const VERSIONS = [
  [26, 10, 1], [44, 16, 1], [70, 26, 1], [100, 18, 2], [134, 24, 2], [172, 16, 4], [196, 18, 4], [242, 22, 4], [292, 22, 5],
  [346, 26, 5], [404, 30, 5], [466, 22, 8],
];
const BYTE_MODE = 4;
const PADDING = [0xec, 0x11];

/** The rows of the code, from the top; true is dark. */
export function encode(text) {
  const bytes = new TextEncoder().encode(text);
  const version = VERSIONS.findIndex((row, index) => bytes.length + headLength(index + 1) <= dataLength(row)) + 1;
  if (version === 0) throw new RangeError(`A QR code has room for 287 bytes; this text has ${bytes.length}.`);
  return drawCode(version, interleave(dataCodewords(bytes, version), VERSIONS[version - 1]));
}

const dataLength = ([total, correction, blocks]) => total - correction * blocks;
/** Mode and length before the bytes take 12 or 20 bits, so the last half byte is shared with the end mark. */
const headLength = (version) => (version < 10 ? 2 : 3);

function dataCodewords(bytes, version) {
  const length = dataLength(VERSIONS[version - 1]);
  const lengthBits = version < 10 ? 8 : 16;
  const bits = [];
  const add = (value, count) => {
    for (let bit = count - 1; bit >= 0; bit--) bits.push((value >> bit) & 1);
  };
  add(BYTE_MODE, 4);
  add(bytes.length, lengthBits);
  bytes.forEach((byte) => add(byte, 8));
  add(0, 4);
  while (bits.length % 8 !== 0) bits.push(0);
  const words = [];
  for (let at = 0; at < bits.length; at += 8) words.push(bits.slice(at, at + 8).reduce((value, bit) => value * 2 + bit, 0));
  for (let index = 0; words.length < length; index++) words.push(PADDING[index % 2]);
  return words;
}

/** Divides the data into blocks, adds the error correction of each, and takes them in turn. */
function interleave(data, [total, correction, count]) {
  const short = Math.floor((total - correction * count) / count);
  const long = (total - correction * count) % count;
  const blocks = [];
  let at = 0;
  for (let index = 0; index < count; index++) {
    const length = index < count - long ? short : short + 1;
    blocks.push(data.slice(at, at + length));
    at += length;
  }
  const corrections = blocks.map((block) => errorCorrection(block, correction));
  const words = [];
  for (let index = 0; index <= short; index++) for (const block of blocks) if (index < block.length) words.push(block[index]);
  for (let index = 0; index < correction; index++) for (const block of corrections) words.push(block[index]);
  return words;
}

/** Multiplies in the field of 256 elements with the polynomial 0x11d. */
export function multiply(one, other) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    if ((other >> bit) & 1) product ^= one;
  }
  return product;
}

/** The Reed-Solomon code of a block: the remainder of its division by the polynomial with the roots 1, 2, 4 … */
export function errorCorrection(data, length) {
  let divisor = [1];
  let root = 1;
  for (let index = 0; index < length; index++) {
    const next = [...divisor, 0];
    divisor.forEach((factor, power) => (next[power + 1] ^= multiply(factor, root)));
    divisor = next;
    root = multiply(root, 2);
  }
  const rest = new Array(length).fill(0);
  for (const word of data) {
    const factor = word ^ rest.shift();
    rest.push(0);
    for (let index = 0; index < length; index++) rest[index] ^= multiply(divisor[index + 1], factor);
  }
  return rest;
}
