import { snack } from "#ui/snackbar";

export interface Told {
  readonly copied: string;
  /** What to do by hand where the browser does not lend its clipboard: it does so only over HTTPS, and not everywhere. */
  readonly notCopied: string;
}

/** Puts a text into the clipboard and says whether it is there. */
export async function copyText(text: string, { copied, notCopied }: Told): Promise<void> {
  const isCopied = await Promise.resolve()
    .then(() => navigator.clipboard.writeText(text))
    .then(
      () => true,
      () => false,
    );
  snack(isCopied ? { kind: "brief", text: copied } : notCopied);
}
