import { useRef, useState, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { ApiError } from "#lib/call";
import type { Fault, Faults, FormField } from "./rules.ts";

/** Codes of the server for which the form has words of its own. */
const known: ReadonlySet<string> = new Set<Fault>([
  "required",
  "fail_email",
  "fail_phone_number",
  "easy_password",
  "fail_password",
  "password_not_equal",
]);

interface Shown {
  readonly form: RefObject<HTMLFormElement | null>;
  /** The text under a field. */
  readonly textOf: (field: FormField) => string | undefined;
  /** Marks the faults and goes to the first one; false when there is none. */
  readonly mark: (faults: Faults) => boolean;
  /** Marks what the server has refused; false when it named no field of the form. */
  readonly markRefusal: (error: ApiError) => boolean;
  /** A field that is being mended is judged anew. */
  readonly rejudge: (field: FormField, faults: Faults) => void;
}

/** Faults of a form as texts under its fields. What the server says in words of its own is shown in these. */
export function useFaults(): Shown {
  const { t } = useTranslation("registration");
  const [texts, setTexts] = useState<Partial<Readonly<Record<FormField, string>>>>({});
  const form = useRef<HTMLFormElement>(null);

  const show = (next: typeof texts) => {
    setTexts(next);
    const [first] = Object.keys(next);
    if (first !== undefined) form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
    return first !== undefined;
  };
  const words = (fault: string) => (fault === "fail_inn" ? t("failInn") : t(`messages:${fault}`));
  return {
    form,
    textOf: (field) => texts[field],
    mark: (faults) =>
      show(Object.fromEntries(Object.entries(faults).map(([field, fault]) => [field, words(fault)]))),
    markRefusal: (error) => {
      const own = [...(form.current?.elements ?? [])].map((each) => each.getAttribute("name"));
      const named = Object.entries(error.attributes).filter(([field]) => own.includes(field));
      return show(
        Object.fromEntries(
          named.map(([field, [code = ""]]) => [field, known.has(code) ? words(code) : (error.msg ?? code)]),
        ),
      );
    },
    rejudge: (field, faults) => {
      if (texts[field] === undefined) return;
      const fault = faults[field];
      setTexts(({ [field]: _, ...others }) => (fault ? { ...others, [field]: words(fault) } : others));
    },
  };
}
