import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { decodePayload } from "./decodeLorawan.ts";

const folder = mkdtempSync(join(tmpdir(), "metrum-codec-"));
const file = join(folder, "codec.js");
afterAll(() => rmSync(folder, { recursive: true }));

test("a payload is decoded with a codec from a file", async () => {
  writeFileSync(
    file,
    "function decodeUplink({ bytes, fPort }) { return { data: { sum: bytes[0] + fPort, in: { a: { value: 1, unit: 'V' } } }, warnings: ['odd'] }; }",
  );

  expect(await decodePayload("0a", { codec: file, fport: 3 })).toEqual({
    protocol: "lorawan",
    device: { codec: file, fport: 3 },
    readings: [
      { name: "sum", value: 13, unit: "" },
      { name: "in.a", value: 1, unit: "V" },
    ],
    warnings: ["odd"],
  });
});

test("a codec that loops is an error, not a hang", async () => {
  writeFileSync(file, "function decodeUplink() { for (;;); }");

  expect(await decodePayload("0a", { codec: file, fport: 3 })).toMatchObject({
    error: { kind: "unexpected", message: expect.stringContaining("longer than") as string },
  });
});

test("built-in codecs and models explain every byte", async () => {
  const builtIn = await decodePayload("02199E000300000258000000000C9B", {
    codec: "decentlab/dl-dlr2-002",
    fport: 1,
    explain: true,
  });
  const model = await decodePayload("01620690 5d016b15 10270000 01000000 00000000 00000000", {
    codec: "SI-11 (water)",
    fport: 2,
  });

  if ("error" in builtIn || "error" in model) throw new Error("a built-in codec must read its own payload");
  expect(builtIn.readings).toContainEqual({ name: "pulse_interval", value: 600, unit: "s" });
  expect(builtIn.fields).toHaveLength(7);
  expect(model.readings).toContainEqual(expect.objectContaining({ name: "in1", value: 10_000 }));
});

test("a model is found by its brand and title, and by an unambiguous beginning", async () => {
  const payload = "01620690 5d016b15 10270000 01000000 00000000 00000000";
  const readAs = (codec: string) => decodePayload(payload, { codec, fport: 2 });
  const device = { codec: "SI-11 (gas)", fport: 2 };

  expect(await readAs("vega si-11 (gas)")).toMatchObject({ device });
  expect(await readAs("SI-11 (g")).toMatchObject({ device });
  await expect(readAs("SI-11")).rejects.toThrow(/several models.*\nModels: .*Vega SI-11 \(gas\)/);
});

test("a missing codec is reported by name", async () => {
  await expect(decodePayload("0a", { codec: "nowhere", fport: 1 })).rejects.toThrow("nowhere");
  await expect(decodePayload("0a", { codec: "nowhere" })).rejects.toThrow("--fport");
});
