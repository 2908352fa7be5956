import { expect, it } from "vitest";
import { addressText, shortAddressText } from "./pointAddress.ts";

const address = { city: "Darkhan", street: "Sukhbaatar", house: "14", innerObject: "63" };

it("AP-009 the address is city, street, house and inner object, or a dash without a street", () => {
  expect(addressText(address)).toBe("Darkhan, Sukhbaatar, 14, 63");
  expect(addressText({ ...address, house: "", innerObject: "" })).toBe("Darkhan, Sukhbaatar");
  expect(addressText({ ...address, street: "" })).toBe("—");
});

it("AP-010 the short form cuts the street at 22 characters with an ellipsis", () => {
  const at22 = "Twenty-two characters!";
  expect(at22).toHaveLength(22);
  expect(shortAddressText({ ...address, street: at22 })).toBe(`Darkhan, ${at22}, 14, 63`);
  expect(shortAddressText({ ...address, street: `${at22}X` })).toBe(`Darkhan, ${at22}…, 14, 63`);
  // A letter of two code units is not split.
  expect(shortAddressText({ ...address, street: `${"a".repeat(21)}𐐷b` })).toContain("𐐷…");
  expect(shortAddressText({ ...address, street: "" })).toBe("—");
});
