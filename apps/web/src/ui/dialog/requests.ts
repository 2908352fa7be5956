import type { DialogSize } from "./Dialog.tsx";

interface Shared {
  readonly title: string;
  readonly text?: string | undefined;
  readonly size?: DialogSize;
  /** The verb of the button. */
  readonly action: string;
  readonly isHarmful?: boolean;
}

export type ConfirmRequest = Shared;
export interface AlertRequest {
  readonly title: string;
  readonly text?: string | undefined;
  readonly size?: DialogSize;
  /** Label of its only button; default "OK". */
  readonly action?: string;
}
export interface TextRequest extends Shared {
  readonly label: string;
  readonly value?: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
  /** The text is a password. */
  readonly isSecret?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Fault of the trimmed value, or null. */
  readonly validate?: (value: string) => string | null;
}
export interface ChoiceRequest extends Shared {
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly title: string }[];
  readonly value?: string;
}
export interface CheckRequest extends Shared {
  /** The sentence to be ticked before the button is enabled. */
  readonly label: string;
}
export interface BusyRequest {
  readonly title: string;
}

export type DialogRequest =
  | ({ readonly kind: "confirm"; readonly settle: (isSure: boolean) => void } & ConfirmRequest)
  | ({ readonly kind: "alert"; readonly settle: () => void } & AlertRequest)
  | ({ readonly kind: "text"; readonly settle: (value: string | null) => void } & TextRequest)
  | ({ readonly kind: "choice"; readonly settle: (value: string | null) => void } & ChoiceRequest)
  | ({ readonly kind: "check"; readonly settle: (isSure: boolean) => void } & CheckRequest)
  | ({ readonly kind: "busy" } & BusyRequest);

export type OpenDialog = DialogRequest & { readonly id: number };

let open: readonly OpenDialog[] = [];
let next = 1;
const listeners = new Set<() => void>();

function change(now: readonly OpenDialog[]): void {
  open = now;
  for (const each of listeners) each();
}

export const openDialogs = {
  get: () => open,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

function show(request: DialogRequest): () => void {
  const id = next++;
  change([...open, { ...request, id }]);
  return () => change(open.filter((each) => each.id !== id));
}

function settled<Value>(make: (settle: (value: Value) => void) => DialogRequest): Promise<Value> {
  return new Promise((resolve) => {
    const close = show(
      make((value) => {
        close();
        resolve(value);
      }),
    );
  });
}

/** Asks for confirmation. Escape and the cross answer no. */
export function confirm(request: ConfirmRequest): Promise<boolean> {
  return settled((settle) => ({ kind: "confirm", settle, ...request }));
}

/** Shows a message that must be read before going on. */
export function alert(request: AlertRequest): Promise<void> {
  return settled((settle: (value: undefined) => void) => ({
    kind: "alert",
    settle: () => settle(undefined),
    ...request,
  }));
}

/** Asks for a line of text, trimmed; null when cancelled. */
export function askText(request: TextRequest): Promise<string | null> {
  return settled((settle) => ({ kind: "text", settle, ...request }));
}

/** Asks for one of a list, with a search box above five; null when cancelled. */
export function askChoice(request: ChoiceRequest): Promise<string | null> {
  return settled((settle) => ({ kind: "choice", settle, ...request }));
}

/** Asks for confirmation that counts only with its box ticked. */
export function askCheck(request: CheckRequest): Promise<boolean> {
  return settled((settle) => ({ kind: "check", settle, ...request }));
}

/** Shows a spinner that cannot be closed, until the work is finished. */
export async function whileBusy<Result>(request: BusyRequest, work: () => Promise<Result>): Promise<Result> {
  const close = show({ kind: "busy", ...request });
  try {
    return await work();
  } finally {
    close();
  }
}

/** Closes dialogs about a change after it is saved. */
export function closeAllDialogs(): void {
  for (const each of open) {
    if (each.kind === "confirm" || each.kind === "check") each.settle(false);
    else if (each.kind === "alert") each.settle();
    else if (each.kind !== "busy") each.settle(null);
  }
}
