// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { answer, refusal, stubServer } from "#testing/browser.ts";
import { draw, found, says, useScreen } from "#testing/dom.tsx";
import { CrashNote } from "./CrashNote.tsx";

useScreen();

const note = () => document.querySelector("[role=alert]")?.textContent;

it("an internal error is shown with the number of its report", async () => {
  stubServer({ "service/error_report": () => answer({ report_id: "r-17" }) });
  await draw(<CrashNote title="This page has stopped working" error={new Error("first")} />);

  await found(() => says("The error has been reported under the number r-17."));
  expect(note()).toContain("This page has stopped working");
});

it("no number is named while none is known", async () => {
  const requests = stubServer({ "service/error_report": () => refusal(503, "starting", "Starting") });
  await draw(<CrashNote title="This page has stopped working" error={new Error("second")} />);

  await found(() => requests.length === 1);
  expect(note()).toContain("This page has stopped working");
  expect(note()).not.toContain("reported");
});
