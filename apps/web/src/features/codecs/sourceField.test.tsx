// @vitest-environment happy-dom
import { expect, it, vi } from "vitest";
import { draw, press, useScreen } from "#testing/dom.tsx";
import { SourceField } from "./SourceField.tsx";

useScreen("codecs");

async function open(isReadOnly = false) {
  const onValue = vi.fn();
  await draw(
    <SourceField value="ab" longest={1000} isReadOnly={isReadOnly} error={undefined} onValue={onValue} />,
  );
  const area = document.querySelector("textarea");
  area?.focus();
  area?.setSelectionRange(1, 1);
  return onValue;
}
const indent = { code: "BracketRight", ctrlKey: true };

it("Ctrl+] indents at the cursor, on every layout of the keyboard", async () => {
  const onValue = await open();
  await press("ъ", indent);

  expect(onValue.mock.calls).toEqual([["a  b"]]);
});

it("other keys do not indent", async () => {
  const onValue = await open();
  await press("]", { code: "BracketRight" });
  await press("[", { code: "BracketLeft", ctrlKey: true });
  expect(onValue).not.toHaveBeenCalled();
});

it("a source that may not be changed is not indented", async () => {
  const onValue = await open(true);
  await press("]", indent);

  expect(onValue).not.toHaveBeenCalled();
});
