// @vitest-environment happy-dom
import { useState } from "react";
import { beforeEach, describe, expect, it, test, vi } from "vitest";
import { click, draw, field, found, press, type, useScreen } from "#testing/dom.tsx";
import { countries, countryOf, maskPhone, movedTo, usualCountry } from "./countries.ts";
import { PhoneField } from "./index.ts";

useScreen();
const measure = (widthOf: (text: string) => number) =>
  vi
    .spyOn(HTMLCanvasElement.prototype, "getContext")
    .mockReturnValue({ measureText: (text: string) => ({ width: widthOf(text) }) } as never);
// A system with flags: two characters are as wide as one.
beforeEach(() => void measure(() => 16));

function Held() {
  const [phone, setPhone] = useState("");
  return <PhoneField label="Phone" value={phone} onValue={setPhone} />;
}
const country = () => document.querySelector<HTMLElement>(".phone-country");
const options = () => [...document.querySelectorAll<HTMLElement>(".phone-countries button")];

describe("the phone field", () => {
  it("UI-042 UI-045: shows flag and dial code, at first those of the language", async () => {
    await draw(<Held />);

    expect(country()?.textContent).toBe("🇺🇸+1");
    expect(country()?.ariaLabel ?? country()?.getAttribute("aria-label")).toBe("Country: US +1");
  });

  it("UI-042: shows the letters of the country where the system has no flags", async () => {
    measure((text) => text.length * 8);

    await draw(<Held />);

    expect(country()?.textContent).toBe("US+1");
  });

  it("UI-043 UI-044: the mask accepts digits only, and the number determines its country", async () => {
    await draw(<Held />);

    await type(field("Phone"), "976 (99) 11-22-33 call 123456789");

    expect(field("Phone").value).toBe("+97699112233123");
    expect(country()?.textContent).toBe("🇲🇳+976");
  });

  it("UI-042 UI-034: a country found by its name replaces the dial code of the number", async () => {
    await draw(<Held />);
    await type(field("Phone"), "+7 9161234567");
    const opener = country();
    if (opener) await click(opener);
    await found(() => options().length > 0);
    expect(options().length).toBeLessThan(30);

    await type(field("Search"), "mongol");
    expect(options().map((each) => each.textContent)).toEqual(["🇲🇳Mongolia+976"]);
    await press("Enter");

    expect(field("Phone").value).toBe("+9769161234567");
    expect(country()?.textContent).toBe("🇲🇳+976");
  });

  it("a country that shares its dial code stays chosen; the dial code alone is no number", async () => {
    await draw(<Held />);
    const opener = country();
    if (opener) await click(opener);
    await found(() => options().length > 0);
    await type(field("Search"), "canada");
    await press("Enter");
    expect([field("Phone").value, country()?.textContent]).toEqual(["+1", "🇨🇦+1"]);

    await click(field("Phone"));
    field("Phone").blur();

    await found(() => field("Phone").value === "");
  });
});

test("UI-046: a country has code, names and dial code, each its own", () => {
  expect(countries.find(({ countryCode }) => countryCode === "MN")).toEqual({
    countryCode: "MN",
    name: "Монголия",
    name_en: "Mongolia",
    dialCode: "+976",
  });
  expect(new Set(countries.map(({ countryCode }) => countryCode)).size).toBe(countries.length);
  expect(countries.filter(({ dialCode }) => !/^\+\d{1,3}$/.test(dialCode))).toEqual([]);
  expect(countries.filter(({ name, countryCode }) => name === countryCode)).toEqual([]);
});

test("UI-044 UI-045: the country is determined from four characters at most", () => {
  const codes = ["+7", "+7771", "+7916", "+1416", "+44", "+9989", "+99", ""].map(
    (phone) => countryOf(phone)?.countryCode,
  );
  expect(codes).toEqual(["RU", "KZ", "RU", "US", "GB", "UZ", undefined, undefined]);
  expect(
    [usualCountry("ru"), usualCountry("mn"), usualCountry("en")].map((each) => each.countryCode),
  ).toEqual(["RU", "US", "US"]);
});

test.each([
  ["", ""],
  ["+", ""],
  ["9", "+9"],
  ["+976 9911-2233", "+97699112233"],
  ["call 8 (999) 123 45 67", "+89991234567"],
  ["123456789012345678", "+12345678901234"],
])("REG-010 UI-043: the mask makes %j %j", (typed, shown) => {
  expect(maskPhone(typed)).toBe(shown);
});

test("UI-043: a number moves to another country completely, never beyond the mask", () => {
  expect(movedTo(usualCountry("ru"), "+97699112233")).toBe("+799112233");
  expect(movedTo(usualCountry("ru"), "")).toBe("+7");
});
