import { designFiles, shell, type DesignFile, type OwnDesign } from "@metrum/contract/platform";
import { useTranslation } from "react-i18next";
import { exchange, refetch } from "#lib/call";
import { useForm, type FormState } from "#ui/form";

interface Texts {
  readonly title: string;
  readonly linkToHelp: string;
  /** "#rrggbb", or empty for the colour of the product. */
  readonly accent: string;
  readonly hosts: string;
}

/** A chosen file, null to remove the present one, undefined to keep it. */
type Files = Readonly<Partial<Record<DesignFile, File | null>>>;

export interface Props {
  readonly design: OwnDesign;
  readonly form: FormState<Texts & Files>;
}

/** Codes of the server with their own texts; a code of the contract's schema is a wrong value. */
const known = [
  "picture_type",
  "picture_bytes",
  "picture_pixels",
  "code_bytes",
  "code_text",
  "platform_only",
  "host_taken",
];

export function useBrandingForm(design: OwnDesign): Props["form"] {
  const { t } = useTranslation("branding");
  const stored = textsOf(design);
  return useForm<Texts & Files, unknown>({
    stored: { ...stored, ...Object.fromEntries(designFiles.map((name) => [name, undefined])) },
    words: (code) => t(`error.${known.includes(code) ? code : "value"}`),
    send: (values, options) => {
      const body = { company_id: design.company_id, ...changedTexts(values, stored), ...removals(values) };
      return exchange(shell.saveDesign, { body }, { ...options, ...uploads(values) });
    },
    onSaved: () => refetch(shell.ownDesign),
  });
}

const textsOf = (design: OwnDesign): Texts => ({
  title: design.title ?? "",
  linkToHelp: design.linkToHelp ?? "",
  accent: design.accent ?? "",
  hosts: design.hosts.join(", "),
});

/** Only changed fields are sent, so that two users do not overwrite each other. */
export function changedTexts({ title, linkToHelp, accent, hosts }: Texts, stored: Texts): Partial<Texts> {
  return Object.fromEntries(
    Object.entries({ title, linkToHelp, accent, hosts })
      .map(([field, text]) => [field, text.trim()] as const)
      .filter(([field, text]) => Reflect.get(stored, field) !== text),
  );
}

function removals(files: Files): Partial<Record<DesignFile, "">> {
  return Object.fromEntries(designFiles.filter((name) => files[name] === null).map((name) => [name, ""]));
}

function uploads(files: Files): { readonly files?: Readonly<Record<string, Blob>> } {
  const chosen = designFiles.flatMap((name) => {
    const file = files[name];
    return file ? [[name, file] as const] : [];
  });
  return chosen.length === 0 ? {} : { files: Object.fromEntries(chosen) };
}
