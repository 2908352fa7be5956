import { QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, vi } from "vitest";
import { onApiError, queryClient } from "#lib/call";
import { loadTexts, startI18n, storeLanguage } from "#lib/i18n";
import { closeAllDialogs, DialogHost } from "#ui/dialog";
import { snack, snackQueue, Snackbars } from "#ui/snackbar";

const undo: (() => void)[] = [];

/** Starts every test of a file with English texts and an empty screen. */
export function useScreen(...texts: readonly string[]): void {
  beforeEach(async () => {
    vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
    // The test browser has no top layer.
    Object.assign(HTMLElement.prototype, { showPopover: () => undefined, hidePopover: () => undefined });
    onApiError(({ msg, code }) => snack({ kind: "error", text: msg ?? code }));
    storeLanguage("en");
    await startI18n();
    await loadTexts("messages", ...texts);
  });
  afterEach(() => {
    act(() => {
      closeAllDialogs();
      for (const { id } of snackQueue.get()) snackQueue.close(id);
      for (const each of undo.splice(0)) each();
    });
    onApiError(() => undefined);
    queryClient.clear();
    localStorage.clear();
    vi.unstubAllGlobals();
  });
}

/**
 * Renders a part of the app with its environment: router, query cache, dialogs, snackbars. Returns the
 * router.
 */
export async function draw(node: ReactNode, address = "/") {
  const frame = createRootRoute({
    component: () => (
      <>
        {node}
        <DialogHost />
        <Snackbars />
      </>
    ),
  });
  const routes = ["/", "/elsewhere"].map((path) => createRoute({ getParentRoute: () => frame, path }));
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createRouter({ routeTree: frame.addChildren(routes), history });
  const holder = document.body.appendChild(document.createElement("div"));
  const root = createRoot(holder);
  undo.push(() => {
    root.unmount();
    holder.remove();
  });
  await act(async () => {
    root.render(
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    );
    await router.load();
  });
  await found(() => holder.childElementCount > 0);
  return router;
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
const wordsOf = (element: Element) =>
  (element.getAttribute("aria-label") ?? element.textContent).replaceAll(/\s+/g, " ").trim();

/** Waits until an element appears, and returns it. Throws Error if it does not. */
export const found = <Value,>(look: () => Value | null | undefined | false): Promise<Value> =>
  vi.waitFor(
    async () => {
      await act(async () => Promise.resolve());
      const value = look();
      if (value === null || value === undefined || value === false)
        throw new Error(`not there: ${look.toString()} in ${document.body.textContent}`);
      return value;
    },
    { timeout: 30_000, interval: 10 },
  );

/** The control with a label, by its whole text. */
export function field(label: string): Control {
  const all = [...document.querySelectorAll<Control>("input, select, textarea")];
  const wanted = all.find(
    (each) =>
      each.getAttribute("aria-label") === label ||
      [...(each.labels ?? [])].some((own) => wordsOf(own) === label),
  );
  if (!wanted) throw new Error(`no field "${label}"`);
  return wanted;
}

/** The fault below a field, or null. */
export const faultAt = (control: Control): string | undefined =>
  control.closest(".field")?.querySelector(".field-error")?.textContent;

/** The last button with this text: dialogs are above the page. */
export function button(name: string): HTMLButtonElement {
  const wanted = [...document.querySelectorAll("button")].findLast((each) => wordsOf(each) === name);
  if (!wanted) throw new Error(`no button "${name}"`);
  return wanted;
}

export const says = (text: string | RegExp): boolean =>
  typeof text === "string" ? document.body.textContent.includes(text) : text.test(document.body.textContent);

/** Replaces the text of a field. */
export const type = (control: Control, text: string) =>
  act(async () => {
    control.focus();
    Reflect.set(Object.getPrototypeOf(control) as object, "value", text, control);
    control.dispatchEvent(
      new Event(control instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }),
    );
    await Promise.resolve();
  });

export const click = (element: HTMLElement) =>
  act(async () => {
    element.focus();
    element.click();
    await Promise.resolve();
  });

/** Presses a key on the focused element; Enter in a text field submits the form, as browsers do. */
export const press = (key: string, more: KeyboardEventInit = {}) =>
  act(async () => {
    const at = document.activeElement ?? document.body;
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
    const isFree = at.dispatchEvent(event);
    if (isFree && key === "Enter" && at instanceof HTMLInputElement) at.form?.requestSubmit();
    await Promise.resolve();
  });
