import { designPictures, shell, type DesignFile, type OwnDesign } from "@metrum/contract";
import { useMemo, useState } from "react";
import { ApiError, exchange } from "#lib/call";
import { snack } from "#ui/snackbar";

export const pictures = designPictures;

export interface Texts {
  readonly title: string;
  readonly linkToHelp: string;
  /** "#rrggbb", or nothing for the colour of the product. */
  readonly accent: string;
  readonly hosts: string;
}

/** A file that was chosen, or null for one that is to be taken away. */
type Files = Readonly<Partial<Record<DesignFile, File | null>>>;

export type Draft = ReturnType<typeof useDraft>;

const textsOf = (design: OwnDesign): Texts => ({
  title: design.title ?? "",
  linkToHelp: design.linkToHelp ?? "",
  accent: design.accent ?? "",
  hosts: design.hosts.join(", "),
});

/** What is entered and not saved yet, with the errors the server has found by field. */
export function useDraft(design: OwnDesign) {
  const [texts, setTexts] = useState(() => textsOf(design));
  const [files, setFiles] = useState<Files>({});
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [isSaving, setSaving] = useState(false);
  const stored = useMemo(() => textsOf(design), [design]);
  const changed = changedTexts(texts, stored);
  const forget = (field: string) =>
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([name]) => name !== field)));

  const save = async (): Promise<boolean> => {
    setSaving(true);
    try {
      const { msg } = await exchange(
        shell.saveDesign,
        { body: { company_id: design.company_id, ...changed, ...removals(files) } },
        { isQuiet: hasFields, ...uploads(files) },
      );
      setFiles({});
      setErrors({});
      snack(msg);
      return true;
    } catch (error) {
      setErrors(error instanceof ApiError ? firstErrors(error) : {});
      return false;
    } finally {
      setSaving(false);
    }
  };
  return {
    design,
    texts,
    files,
    errors,
    isSaving,
    isDirty: Object.keys(changed).length > 0 || Object.keys(files).length > 0,
    setText: (field: keyof Texts, text: string) => {
      setTexts((before) => ({ ...before, [field]: text }));
      forget(field);
    },
    setFile: (field: DesignFile, file: File | null) => {
      setFiles((before) => ({ ...before, [field]: file }));
      forget(field);
    },
    discard: () => {
      setTexts(stored);
      setFiles({});
      setErrors({});
    },
    save,
  };
}

/** Only what was changed is sent, so that two people do not undo each other. */
export function changedTexts(texts: Texts, stored: Texts): Partial<Texts> {
  return Object.fromEntries(
    Object.entries<string>({ ...texts })
      .map(([field, text]) => [field, text.trim()] as const)
      .filter(
        ([field, text]) => !Object.entries(stored).some(([name, old]) => name === field && old === text),
      ),
  );
}

function removals(files: Files): Partial<Record<DesignFile, "">> {
  return Object.fromEntries(
    Object.entries(files)
      .filter(([, file]) => file === null)
      .map(([field]) => [field, ""]),
  );
}

function uploads(files: Files): { readonly files?: Readonly<Record<string, Blob>> } {
  const chosen = Object.entries(files).flatMap(([field, file]) =>
    file === null ? [] : [[field, file] as const],
  );
  return chosen.length === 0 ? {} : { files: Object.fromEntries(chosen) };
}

/** What belongs to a field is said at the field. */
const hasFields = ({ attributes }: ApiError) => Object.keys(attributes).length > 0;

function firstErrors({ attributes }: ApiError): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(attributes).map(([field, codes]) => [field.split(".")[0] ?? field, codes[0] ?? ""]),
  );
}
