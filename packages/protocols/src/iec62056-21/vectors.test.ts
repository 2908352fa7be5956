import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fromHex } from "../core/bytes.ts";
import { parseDataLines } from "./dataLine.ts";
import { optionCharacters, parseMessage } from "./message.ts";
import { textOf } from "./text.ts";

interface DataSetCase {
  readonly address: string;
  readonly value: string;
  readonly unit: string;
}
interface Case {
  readonly name: string;
  readonly hex: string;
  readonly expected: {
    readonly type: string;
    readonly baud_char?: string;
    readonly mode_char?: string;
    readonly data_block?: { readonly data_lines: readonly { readonly data_sets: readonly DataSetCase[] }[] };
  };
}

const file = new URL("../../../../../shared/vectors/iec62056-21/messages.json", import.meta.url);
const isThere = existsSync(file);
const cases = isThere ? (JSON.parse(readFileSync(file, "utf8")) as { cases: Case[] }).cases : [];
const ofType = (type: string) => cases.filter(({ expected }) => expected.type === type);

describe.skipIf(!isThere)(
  isThere
    ? "shared IEC 62056-21 messages"
    : `shared IEC 62056-21 messages: skipped, ${file.pathname} is not there`,
  () => {
    it("are all 20", () => {
      expect([ofType("AckOptionSelectMessage").length, ofType("ReadoutDataMessage").length]).toEqual([17, 3]);
    });

    // The other library accepts any bytes as an acknowledgement; only one of the 17 is valid, and only that
    // one is a message here.
    it.each(ofType("AckOptionSelectMessage"))(
      "$name has speed and mode in their places",
      ({ hex, expected }) => {
        const { baud, mode } = optionCharacters(textOf(fromHex(hex)));

        expect({ baud_char: baud, mode_char: mode }).toMatchObject({
          baud_char: expected.baud_char,
          mode_char: expected.mode_char,
        });
        if (hex.startsWith("06"))
          expect(parseMessage(fromHex(hex))).toMatchObject({ kind: "option", baud, mode });
      },
    );

    // The other library ignores data sets without a unit, so those are not compared.
    it.each(ofType("ReadoutDataMessage"))("$name gives its data sets", ({ hex, expected }) => {
      const message = parseMessage(fromHex(hex));

      const text = message.kind === "data" ? message.text : "";
      const sets = parseDataLines(text).flatMap(({ address, values }) =>
        values.filter(({ unit }) => unit !== "").map((value) => ({ type: "DataSet", address, ...value })),
      );
      expect(sets).toEqual(expected.data_block?.data_lines.flatMap(({ data_sets }) => data_sets));
    });
  },
);
