// @vitest-environment happy-dom
import { act, startTransition, Suspense, useState } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { Boundary } from "#ui/states";
import { stubServer } from "#testing/browser.ts";
import { button, click, draw, found, says, useScreen } from "#testing/dom.tsx";
import { lazily } from "./lazily.tsx";

useScreen("common");
beforeEach(() => {
  stubServer({ "service/error_report": () => new Response("{}") });
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

const Dialog = ({ name }: { readonly name: string }) => <p>Dialog of {name}</p>;
const show = (load: () => Promise<{ readonly default: typeof Dialog }>) => {
  const Part = lazily(load);
  return draw(
    <Boundary>
      <Suspense fallback="…">
        <Part name="MTR-1" />
      </Suspense>
    </Boundary>,
  );
};

it("a part that could not be loaded is requested once, and again when the user retries", async () => {
  const load = vi.fn<() => Promise<{ readonly default: typeof Dialog }>>();
  load.mockRejectedValueOnce(new TypeError("Failed to fetch dynamically imported module"));
  load.mockResolvedValue({ default: Dialog });
  await show(load);

  await found(() => button("Retry"));
  expect(load).toHaveBeenCalledTimes(1);
  await click(button("Retry"));

  await found(() => says("Dialog of MTR-1"));
  expect(load).toHaveBeenCalledTimes(2);
});

it("a part that fails again says so again", async () => {
  const load = vi.fn(() => Promise.reject(new TypeError("gone")));
  await show(load);
  await click(await found(() => button("Retry")));

  await expect.poll(() => load.mock.calls.length).toBe(2);
  await found(() => button("Retry"));
});

it("a part that a transition waits for is rendered without a warning of React", async () => {
  let arrive: () => void = () => undefined;
  const Part = lazily(
    () =>
      new Promise<{ readonly default: typeof Dialog }>((done) => (arrive = () => done({ default: Dialog }))),
  );
  function Opener() {
    const [isOpen, setOpen] = useState(false);
    return (
      <Suspense fallback="…">
        <button type="button" onClick={() => startTransition(() => setOpen(true))}>
          Open
        </button>
        {isOpen ? <Part name="MTR-1" /> : null}
      </Suspense>
    );
  }
  await draw(<Opener />);
  await click(button("Open"));

  await act(() => {
    arrive();
    return Promise.resolve();
  });
  await found(() => says("Dialog of MTR-1"));

  expect(vi.mocked(console.error).mock.calls.map(String).join()).not.toContain("use()");
});
