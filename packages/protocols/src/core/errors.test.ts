import { describe, expect, it } from "vitest";
import { ProtocolError, protocolErrorKinds, wrongField } from "./errors.ts";

describe("a protocol error", () => {
  it("is of one of six kinds, busy only if it says so, and has what is known of its place", () => {
    expect(protocolErrorKinds).toEqual([
      "timeout",
      "checksum",
      "refused",
      "unexpected",
      "unsupported",
      "bad_password",
    ]);
    expect(new ProtocolError("refused", "no")).toMatchObject({
      name: "ProtocolError",
      kind: "refused",
      message: "no",
      offset: undefined,
      detail: undefined,
      isBusy: false,
      field: undefined,
    });
    const at = { offset: 3, detail: 7, isBusy: true, field: { path: "a", wanted: "text" } } as const;
    expect(new ProtocolError("timeout", "late", at)).toMatchObject(at);
  });

  it.each([
    ["object", "an object"],
    ["list", "a list"],
    ["few", "a list of at most 9"],
    ["text", "a text"],
    ["short", "a text of at most 9 characters"],
    ["number", "a number"],
    ["whole", "a whole number from 1 to 9"],
    ["flag", "true or false"],
    ["hex", "hexadecimal"],
    ["message_type", "a message type"],
    ["one_device", "of one device: deviceID or device_id"],
    ["one_content", "of values or of payload: one of the two"],
    ["given", "given"],
    ["readings", "a list with a value"],
    ["known", "known"],
    ["bytes", "of at most 9 bytes"],
    ["dev_eui", "16 hexadecimal digits"],
    ["device_and_field", "device and field"],
  ] as const)("of a field that is not %s says so in words", (wanted, words) => {
    const params = { least: 1, most: 9 };

    expect(wrongField("a.b", wanted, params)).toMatchObject({
      kind: "unexpected",
      message: `a.b is not ${words}`,
      field: { path: "a.b", wanted, params },
    });
    expect(wrongField("a", wanted).field?.params).toEqual({});
  });
});
