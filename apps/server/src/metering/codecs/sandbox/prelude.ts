/**
 * Environment of a codec in the interpreter, as a script that returns the function by which the codec is
 * called.
 *
 * - `Date` knows one time, that of receipt, and one zone, UTC; `Math.random` throws. So the same payload
 * always decodes alike.
 * - `console` does nothing: published codecs write to it. `module` and `exports` exist for codecs that assign
 * to them.
 * - `Buffer` is the part of Node's that codecs use (ChirpStack offers one).
 * - No network, files, timers, process or require: the interpreter has none.
 *
 * The function keeps references to the built-in functions it needs, so that a codec that replaces them
 * affects only itself; the host treats its answer as text and validates it. Source of the conventions:
 * payload formatters of The Things Stack (`decodeUplink`, `encodeDownlink`, `decodeDownlink`; v2
 * `Decoder(bytes, port)`) and ChirpStack v3 (`Decode(fPort, bytes, variables)`).
 */
export const prelude = String.raw`
(function () {
  "use strict";
  const { stringify, parse } = JSON;
  const { construct, defineProperty } = Reflect;
  const RealDate = Date, proto = RealDate.prototype, RealError = Error;
  let nowMs = 0;

  for (const part of ["FullYear", "Month", "Date", "Hours", "Minutes", "Seconds", "Milliseconds", "Day"])
    for (const verb of ["get", "set"])
      if (proto[verb + "UTC" + part]) proto[verb + part] = proto[verb + "UTC" + part];
  proto.getTimezoneOffset = () => 0;
  proto.toString = proto.toUTCString;
  const utc = RealDate.UTC;
  function FixedDate(...given) {
    if (new.target === undefined) return new RealDate(nowMs).toUTCString();
    const args = given.length === 0 ? [nowMs] : given.length === 1 ? given : [utc(...given)];
    return construct(RealDate, args, new.target);
  }
  FixedDate.prototype = proto;
  FixedDate.now = () => nowMs;
  FixedDate.parse = RealDate.parse;
  FixedDate.UTC = utc;
  defineProperty(proto, "constructor", { value: FixedDate, writable: true, configurable: true });
  const global = (name, value) =>
    defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  global("Date", FixedDate);
  Math.random = () => {
    throw new RealError("randomness is not available to codecs");
  };
  const silent = () => undefined;
  global("console", { log: silent, info: silent, warn: silent, error: silent, debug: silent, trace: silent });
  const module = { exports: {} };
  global("module", module);
  global("exports", module.exports);

  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const fromBase64 = (given) => {
    const bytes = [];
    let bits = 0, held = 0;
    for (const letter of given.replace(/-/g, "+").replace(/_/g, "/")) {
      const value = letters.indexOf(letter);
      if (value < 0) continue;
      held = ((held << 6) | value) & 0xffffff;
      bits += 6;
      if (bits >= 8) bytes.push((held >> (bits -= 8)) & 255);
    }
    return bytes;
  };
  const toBase64 = (bytes) => {
    let out = "";
    for (let at = 0; at < bytes.length; at += 3) {
      const three = (bytes[at] << 16) | ((bytes[at + 1] || 0) << 8) | (bytes[at + 2] || 0);
      out += letters[three >> 18] + letters[(three >> 12) & 63];
      out += at + 1 < bytes.length ? letters[(three >> 6) & 63] : "=";
      out += at + 2 < bytes.length ? letters[three & 63] : "=";
    }
    return out;
  };
  const fromHex = (given) => (given.match(/[0-9a-f]{2}/gi) || []).map((pair) => parseInt(pair, 16));
  const fromUtf8 = (given) =>
    [...encodeURIComponent(given).matchAll(/%(..)|([^%])/g)].map(([, code, sign]) =>
      code ? parseInt(code, 16) : sign.charCodeAt(0));
  const toUtf8 = (bytes) => {
    try {
      return decodeURIComponent(Array.from(bytes, (byte) => "%" + (byte + 256).toString(16).slice(1)).join(""));
    } catch {
      return Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : "\ufffd")).join("");
    }
  };
  class Buffer extends Uint8Array {
    static from(given, encoding) {
      if (typeof given !== "string") return new Buffer(given);
      if (encoding === "hex") return new Buffer(fromHex(given));
      if (encoding === "base64" || encoding === "base64url") return new Buffer(fromBase64(given));
      if (encoding === "ascii" || encoding === "latin1" || encoding === "binary")
        return new Buffer(Array.from(given, (sign) => sign.charCodeAt(0) & 255));
      return new Buffer(fromUtf8(given));
    }
    static alloc(size, value = 0) { return new Buffer(size).fill(value); }
    static isBuffer(given) { return given instanceof Buffer; }
    static concat(parts) { return new Buffer(parts.flatMap((part) => [...part])); }
    slice(from, to) { return this.subarray(from, to); }
    toString(encoding, from = 0, to = this.length) {
      const part = Uint8Array.prototype.slice.call(this, from, to);
      if (encoding === "hex")
        return Array.from(part, (byte) => (byte + 256).toString(16).slice(1)).join("");
      if (encoding === "base64") return toBase64(part);
      if (encoding === "ascii" || encoding === "latin1" || encoding === "binary")
        return Array.from(part, (byte) => String.fromCharCode(encoding === "ascii" ? byte & 127 : byte)).join("");
      return toUtf8(part);
    }
    equals(other) { return this.length === other.length && this.every((byte, at) => byte === other[at]); }
    readUIntBE(at, size) { let n = 0; for (let i = 0; i < size; i++) n = n * 256 + this[at + i]; return n; }
    readUIntLE(at, size) { let n = 0; for (let i = size - 1; i >= 0; i--) n = n * 256 + this[at + i]; return n; }
    readIntBE(at, size) { const n = this.readUIntBE(at, size); return n >= 2 ** (8 * size - 1) ? n - 2 ** (8 * size) : n; }
    readIntLE(at, size) { const n = this.readUIntLE(at, size); return n >= 2 ** (8 * size - 1) ? n - 2 ** (8 * size) : n; }
  }
  const kinds = { UInt8: 1, Int8: 1, UInt16: 2, Int16: 2, UInt32: 4, Int32: 4, Float: 4, Double: 8, BigUInt64: 8, BigInt64: 8 };
  const views = { Float: "Float32", Double: "Float64", BigUInt64: "BigUint64" };
  for (const [kind, size] of Object.entries(kinds))
    for (const [ending, little] of size === 1 ? [["", true]] : [["LE", true], ["BE", false]]) {
      const name = views[kind] || kind.replace("UInt", "Uint");
      const view = (buffer) => new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
      Buffer.prototype["read" + kind + ending] = function (at = 0) { return view(this)["get" + name](at, little); };
      Buffer.prototype["write" + kind + ending] = function (value, at = 0) {
        view(this)["set" + name](at, value, little);
        return at + size;
      };
    }
  for (const name of Object.getOwnPropertyNames(Buffer.prototype))
    if (name.includes("UInt")) Buffer.prototype[name.replace("UInt", "Uint")] = Buffer.prototype[name];
  global("Buffer", Buffer);

  const call = (name, found, given) => {
    const of = (key) => (typeof found[key] === "function" ? found[key] : module.exports[key]);
    const { bytes, fPort, variables, data, isLookedFor } = given;
    const own = of(name);
    const isUplink = name === "decodeUplink";
    const all = isUplink ? [own, of("Decode"), of("Decoder")] : [own];
    if (isLookedFor && all.some((each) => typeof each === "function")) return {};
    if (typeof own === "function") {
      if (name === "encodeDownlink") return own({ data, variables });
      return own({ bytes, fPort, recvTime: new FixedDate(nowMs), variables });
    }
    if (isUplink && typeof of("Decode") === "function")
      return { data: of("Decode")(fPort, bytes, variables) };
    if (isUplink && typeof of("Decoder") === "function")
      return { data: of("Decoder")(bytes, fPort) };
    throw new RealError("the codec has no function " + name);
  };
  return {
    begin: (ms) => { nowMs = ms; },
    run: (find, input, longest) => {
      const given = parse(input);
      const answer = stringify(call(given.call, find(), given));
      if (typeof answer !== "string") throw new RealError("the codec answers nothing");
      if (answer.length > longest) throw new RealError("the answer of the codec is too long");
      return answer;
    },
  };
})()
`;

/**
 * Evaluated after the codec, in its global scope, so that it sees functions declared by const, let and class
 * too.
 */
export const finder = `(() => ({
  decodeUplink: typeof decodeUplink === "undefined" ? undefined : decodeUplink,
  encodeDownlink: typeof encodeDownlink === "undefined" ? undefined : encodeDownlink,
  decodeDownlink: typeof decodeDownlink === "undefined" ? undefined : decodeDownlink,
  Decode: typeof Decode === "undefined" ? undefined : Decode,
  Decoder: typeof Decoder === "undefined" ? undefined : Decoder,
}))`;
