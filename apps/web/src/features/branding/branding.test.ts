import { expect, it } from "vitest";
import { changedTexts } from "./brandingForm.ts";

const stored = { title: "Heat", linkToHelp: "", accent: "#0b6e69", hosts: "a.example" };

it("PROD-032 only changed fields are sent, a cleared field as empty", () => {
  expect(changedTexts({ ...stored, title: " Heat " }, stored)).toEqual({});
  expect(changedTexts({ ...stored, title: "Warmth", accent: "" }, stored)).toEqual({
    title: "Warmth",
    accent: "",
  });
});
