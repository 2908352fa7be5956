import { describe, expect, it } from "vitest";
import { alert, askChoice, askText, closeAllDialogs, confirm, openDialogs, whileBusy } from "./requests.ts";
import { matching, searchAbove } from "./search.ts";
import { faultOf } from "./textRules.ts";

const lastOpen = () => openDialogs.get().at(-1);

describe("questions", () => {
  it("UI-010: a confirmation closes with yes or no", async () => {
    const answer = confirm({ title: "Off?", action: "Switch off" });
    const shown = lastOpen();
    if (shown?.kind === "confirm") shown.settle(true);

    expect(await answer).toBe(true);
    expect(openDialogs.get()).toEqual([]);
  });

  it("UI-009: a busy dialog stays until the work ends, also when it fails", async () => {
    let fail: (cause: Error) => void = () => undefined;
    const work = whileBusy({ title: "…" }, () => new Promise((_, reject) => (fail = reject)));
    expect(lastOpen()?.kind).toBe("busy");

    closeAllDialogs();
    expect(lastOpen()?.kind).toBe("busy");

    fail(new Error("no"));
    await expect(work).rejects.toThrow("no");
    expect(openDialogs.get()).toEqual([]);
  });

  it("UI-058: all dialogs except busy ones close together, unanswered", async () => {
    const answers = Promise.all([
      confirm({ title: "a", action: "b" }),
      alert({ title: "c" }),
      askText({ title: "d", action: "e", label: "f" }),
      askChoice({ title: "g", action: "h", label: "i", options: [] }),
    ]);
    expect(openDialogs.get()).toHaveLength(4);

    closeAllDialogs();

    expect(await answers).toEqual([false, undefined, null, null]);
    expect(openDialogs.get()).toEqual([]);
  });
});

describe("text dialog", () => {
  it("UI-020: reports an empty, too short (3) or too long (255) text", () => {
    expect(faultOf("", {})).toEqual({ key: "required" });
    expect(faultOf("ab", {})).toEqual({ key: "minlength", count: 3 });
    expect(faultOf("a".repeat(256), {})).toEqual({ key: "maxlength", count: 255 });
    expect(faultOf("abc", {})).toBeNull();
    expect(faultOf("abcdef", { maxLength: 5 })).toEqual({ key: "maxlength", count: 5 });
    expect(faultOf("", { isRequired: false })).toBeNull();
  });

  it("UI-018: checks the trimmed value", () => {
    expect(faultOf("   ", {})).toEqual({ key: "required" });
    expect(faultOf("  ab  ", {})).toEqual({ key: "minlength", count: 3 });
  });

  it("UI-019: accepts rules of the caller", () => {
    const validate = (value: string) => (value === "7001" ? null : "Номер не совпал");

    expect(faultOf(" 7001 ", { validate })).toBeNull();
    expect(faultOf("7002", { validate })).toEqual({ text: "Номер не совпал" });
  });
});

describe("choice dialog", () => {
  const options = ["Меркурий 230", "Пульсар 15", "СЕ102"].map((title) => ({ value: title, title }));

  it("UI-021: has a search above 5 items", () => {
    expect(searchAbove).toBe(5);
  });

  it("finds by a part of the title, ignoring case; UI-022: possibly nothing", () => {
    expect(matching(options, " пульс ").map((each) => each.title)).toEqual(["Пульсар 15"]);
    expect(matching(options, "x")).toEqual([]);
    expect(matching(options, "")).toHaveLength(3);
  });
});
