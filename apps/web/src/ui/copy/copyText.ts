import { snack } from "#ui/snackbar";

export interface Told {
  readonly copied: string;
  /** Hint for copying manually if the browser denies clipboard access, as over plain HTTP. */
  readonly notCopied: string;
}

/** Copies a text to the clipboard and returns whether it succeeded. */
export async function copyText(text: string, { copied, notCopied }: Told): Promise<void> {
  const isCopied = await Promise.resolve()
    .then(() => navigator.clipboard.writeText(text))
    .then(
      () => true,
      () => false,
    );
  snack(isCopied ? { kind: "brief", text: copied } : notCopied);
}
