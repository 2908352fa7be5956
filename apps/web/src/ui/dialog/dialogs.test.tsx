// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { act } from "react";
import { describe, expect, it, vi } from "vitest";
import { button, click, draw, faultAt, field, found, press, says, type, useScreen } from "#testing/dom.tsx";
import { SearchBox } from "#ui/search";
import { alert, askCheck, askChoice, askText, confirm, Dialog, whileBusy, type DialogSize } from "./index.ts";

useScreen("grid");

/** Opens a dialog, and waits until it is shown; the answer comes later. */
async function asked<Answer>(ask: () => Promise<Answer>) {
  await draw(null);
  const answer = await act(() => Promise.resolve({ later: ask() }));
  const dialog = await found(() => document.querySelector("dialog"));
  return { dialog, answer: answer.later };
}
const isOpen = () => document.querySelector("dialog") !== null;
const isGone = () => found(() => !isOpen());

const pressBeside = (dialog: HTMLElement) =>
  act(async () => {
    dialog.dispatchEvent(new MouseEvent("pointerdown", { bubbles: true, clientX: -5, clientY: -5 }));
    await Promise.resolve();
  });

const options = ["Mercury 230", "Pulsar 15", "SE102", "SDM630", "TEM-104", "VKT-7"].map((title) => ({
  value: title,
  title,
}));
const text = () => askText({ title: "New name", action: "Rename", label: "Name" });
const choice = () => askChoice({ title: "Model", action: "Take", label: "Models", options });
const check = () => askCheck({ title: "Delete all?", action: "Delete", label: "I know what I do" });

describe("a dialog", () => {
  it("begins at its search, not at the cross, unless another element is to have the focus", async () => {
    const search = <SearchBox label="Find" value="" onSearch={() => undefined} />;
    await draw(
      <Dialog title="Pick" onClose={() => undefined}>
        {search}
      </Dialog>,
    );
    await found(() => document.activeElement?.getAttribute("role") === "searchbox");

    await draw(
      <Dialog title="Take" onClose={() => undefined}>
        {search}
        <button type="button" data-autofocus="">
          Take
        </button>
      </Dialog>,
    );
    expect(document.activeElement).toBe(button("Take"));
  });

  it("UI-001: a busy dialog has a spinner with its text, and cannot be closed", async () => {
    let finish: () => void = () => undefined;
    const work = () => new Promise<void>((resolve) => (finish = resolve));

    const { dialog, answer } = await asked(() => whileBusy({ title: "Reading" }, work));
    await press("Escape");
    await pressBeside(dialog);

    expect(dialog.querySelector(".spinner")).not.toBeNull();
    expect([dialog.querySelector("[role=status]")?.textContent, isOpen()]).toEqual(["Reading", true]);
    expect(dialog.querySelector("button")).toBeNull();
    await act(async () => {
      finish();
      await answer;
    });
    await isGone();
  });

  it("UI-002: information is closed by its cross", async () => {
    const { answer } = await asked(() => alert({ title: "Done", text: "All is stored" }));

    expect(says("All is stored")).toBe(true);
    await click(button("Close"));

    await answer;
    await isGone();
  });

  it("UI-011: an alert is closed by OK, which has the focus", async () => {
    const { answer } = await asked(() => alert({ title: "Done" }));

    expect(document.activeElement).toBe(button("OK"));
    await click(button("OK"));

    await answer;
    await isGone();
  });

  it("UI-012: a text is entered, checked when submitted, and returned trimmed", async () => {
    const { answer } = await asked(text);
    const name = await found(() => field("Name"));

    await click(button("Rename"));
    expect(faultAt(name)).toBeTruthy();
    await type(name, "  Boiler  ");
    await click(button("Rename"));

    expect(await answer).toBe("Boiler");
    await isGone();
  });

  it("UI-013: an item of a list is found by typing and chosen", async () => {
    const { dialog, answer } = await asked(choice);
    const search = await found(() => dialog.querySelector<HTMLInputElement>("input[type=search]"));

    expect(button("Take").disabled).toBe(true);
    await type(search, "puls");
    const shown = [...dialog.querySelectorAll<HTMLInputElement>("input[type=radio]")];
    expect(shown.map((each) => each.labels?.[0]?.textContent)).toEqual(["Pulsar 15"]);
    await act(async () => Promise.resolve(shown[0]?.click()));
    await click(button("Take"));

    expect(await answer).toBe("Pulsar 15");
  });

  it.each([
    ["a text", text],
    ["a choice", choice],
    ["a tick", check],
  ] as const)("UI-017: a click outside does not close %s", async (_, ask) => {
    const { dialog } = await asked<string | boolean | null>(ask);

    await pressBeside(dialog);

    expect(isOpen()).toBe(true);
  });

  it("UI-017: a click outside closes a dialog without input", async () => {
    const { dialog, answer } = await asked(() => confirm({ title: "Off?", action: "Switch off" }));

    await pressBeside(dialog);

    expect(await answer).toBe(false);
  });

  it("UI-059: Escape closes, the page behind is inert, and the title is the accessible name", async () => {
    const modal = vi.spyOn(HTMLDialogElement.prototype, "showModal");

    const { dialog, answer } = await asked(text);
    await found(() => field("Name"));
    const title = document.getElementById(dialog.getAttribute("aria-labelledby") ?? "");
    expect([modal.mock.contexts, title?.textContent]).toEqual([[dialog], "New name"]);
    expect(dialog.contains(document.activeElement)).toBe(true);
    await press("Escape");

    expect(await answer).toBeNull();
    await isGone();
  });
});

describe("an entered line of text", () => {
  const rename = () => askText({ title: "New name", action: "Rename", label: "Name", value: "Boiler" });

  it("is not lost by Escape: a confirmation comes first, and No keeps it", async () => {
    const { answer } = await asked(rename);
    await type(await found(() => field("Name")), "Boiler house");

    await press("Escape");
    await found(() => says("What you have entered will be lost"));
    await press("Escape");
    await found(() => document.querySelectorAll("dialog").length === 1);

    expect(field("Name").value).toBe("Boiler house");
    await click(button("Rename"));
    expect(await answer).toBe("Boiler house");
  });

  it("is discarded by the cross after confirmation", async () => {
    const { answer } = await asked(rename);
    await type(await found(() => field("Name")), "Boiler house");

    await click(button("Close"));
    await found(() => says("Leave without saving?"));
    await click(button("Leave"));

    expect(await answer).toBeNull();
    await isGone();
  });

  it("closes without confirmation if the text is unchanged", async () => {
    const { answer } = await asked(rename);
    const name = await found(() => field("Name"));
    await type(name, "Boiler house");
    await type(name, "Boiler");

    await press("Escape");

    expect(await answer).toBeNull();
  });
});

describe("widths", () => {
  const css = readFileSync(`${import.meta.dirname}/dialog.css`, "utf8");
  /** Style rules of a dialog of this size. */
  const styleOf = (size: string | undefined) =>
    new RegExp(String.raw`\.dialog\[data-size="${size ?? ""}"\] \{([^}]*)\}`)
      .exec(css)?.[1]
      ?.replaceAll(/\s+/g, " ")
      .trim() ?? "";
  const plain = /width: min\(var\(--dialog-width, (\d+px)\)/.exec(css)?.[1];

  it.each<[string, DialogSize, string]>([
    ["small", 300, "--dialog-width: 300px;"],
    ["medium", 500, "--dialog-width: 500px;"],
    ["large", "90%", "--dialog-width: 90vw; height: 90dvh;"],
    ["fitting", "fit", "width: fit-content; max-width: calc(100vw - 32px);"],
  ])("UI-015: a %s dialog", async (_, size, style) => {
    const { dialog } = await asked(() => alert({ title: "Wide", size }));

    expect(styleOf(dialog.dataset["size"])).toBe(style);
  });

  it("UI-016: 300 px while busy, 400 px otherwise", async () => {
    let finish: () => void = () => undefined;
    const work = () => new Promise<void>((resolve) => (finish = resolve));
    const busy = await asked(() => whileBusy({ title: "Reading" }, work));
    expect(styleOf(busy.dialog.dataset["size"])).toBe("--dialog-width: 300px;");
    await act(async () => {
      finish();
      await busy.answer;
    });
    await isGone();

    for (const ask of [() => alert({ title: "Done" }), () => confirm({ title: "Off?", action: "Off" })]) {
      const { dialog } = await asked<unknown>(ask);
      expect([styleOf(dialog.dataset["size"]), plain]).toEqual(["", "400px"]);
      await press("Escape");
      await isGone();
    }
  });
});
