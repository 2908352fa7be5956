import { toHex } from "@metrum/protocols";
import { expect, test } from "vitest";
import { systemClock } from "#core";
import { recordExchange } from "./exchange.ts";
import { bytesToMask } from "./secrets.ts";

test("password and keys stand in the log as stars, in each form in which they go over a line", () => {
  const key = "000102030405060708090a0b0c0d0e0f";
  const exchange = recordExchange(
    systemClock,
    bytesToMask({ password: "111111", keys: { encryption: key, authentication: "d0".repeat(16) } }),
  );
  const sent = Buffer.from(`ff313131313131ff010101010101ff${key}ff${"d0".repeat(16)}ff`, "hex");

  exchange
    .begin(
      {
        label: "Open",
        send: sent,
        match: undefined,
        firstByteMs: 1,
        interByteMs: 1,
        tries: 1,
      },
      1,
    )
    .end(new TextEncoder().encode(key));

  const [step] = exchange.steps();
  const stars = (count: number) => "2a".repeat(count);
  expect(step?.sent).toBe(`ff${stars(6)}ff${stars(6)}ff${stars(16)}ff${stars(16)}ff`);
  expect(step?.received).toBe(toHex(new Uint8Array(32).fill(0x2a)));
});
