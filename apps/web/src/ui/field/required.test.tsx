// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { draw, field, useScreen } from "#testing/dom.tsx";
import { SelectField, TextField } from "./index.ts";

useScreen();

const options = [{ value: "1", title: "Water" }];

it("UI-049: a mandatory select is marked, visibly and for screen readers", async () => {
  await draw(
    <>
      <SelectField label="Resource" options={options} isRequired />
      <SelectField label="Brand" options={options} />
      <TextField label="Name" isRequired />
    </>,
  );

  const marks = ["Resource", "Brand", "Name"].map((label) => {
    const control = field(label);
    return [control.labels?.[0]?.hasAttribute("data-required"), control.getAttribute("aria-required")];
  });

  expect(marks).toEqual([
    [true, "true"],
    [false, null],
    [true, "true"],
  ]);
});
