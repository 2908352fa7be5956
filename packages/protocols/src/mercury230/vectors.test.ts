import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../core/bytes.ts";
import { decodeMercury230 } from "./decode.ts";
import { closeFrame } from "./frame.ts";
import { instants, requests } from "./requests.ts";

interface Case {
  readonly name: string;
  readonly request: string;
  readonly response: string;
  readonly expected: {
    readonly values?: readonly (number | null)[];
    readonly status?: number;
    readonly unit?: string;
  };
}

const file = new URL("../../../../../shared/vectors/mercury230/exchanges.json", import.meta.url);
const isThere = existsSync(file);
const cases = isThere ? (JSON.parse(readFileSync(file, "utf8")) as { cases: Case[] }).cases : [];

const ours = [
  requests.test(),
  requests.open(1, Uint8Array.of(1, 1, 1, 1, 1, 1)),
  requests.close(),
  ...Object.values(instants).map((kind) => requests.instant(kind)),
  ...[0, 1, 2].map((tariff) => requests.energy(0, 0, tariff)),
  requests.energy(4, 0, 0),
  requests.energy(5, 0, 0),
].map(({ body }) => toHex(closeFrame(0, body)).toUpperCase());

describe.skipIf(!isThere)(
  isThere ? "shared Mercury exchanges" : `shared Mercury exchanges: skipped, ${file.pathname} is not there`,
  () => {
    it("are all 15", () => {
      expect(cases).toHaveLength(15);
    });

    it.each(cases)(
      "$name is decoded to the values of the other client",
      ({ request, response, expected }) => {
        const { readings } = decodeMercury230({ request: fromHex(request), response: fromHex(response) });

        const wanted = expected.values ?? [expected.status];
        expect(readings.map(({ value }) => value)).toEqual(wanted);
        if (expected.unit !== undefined)
          for (const { unit } of readings) expect(expected.unit.split(" / ")).toContain(unit);
      },
    );

    it.each(cases)("$name is requested with the same bytes as by the other client", ({ request }) => {
      expect(ours).toContain(request);
    });
  },
);
