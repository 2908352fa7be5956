import { useEffect, useState, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { faultsOf, isSentence, onlyFaults } from "./faults.ts";
import { requiredOf, type FormPlan } from "./plan.ts";
import type { ApiError } from "#lib/call";

interface Shown {
  readonly codes: Readonly<Record<string, string>>;
  /** Refusals of the server. */
  readonly msg: string | null;
}
const nothing: Shown = { codes: {}, msg: null };

/** Faulty fields of a form, by its own rules or by refusals of the server, with their texts. */
export function useJudging<Values extends object, Reply>(
  plan: FormPlan<Values, Reply>,
  values: Values,
  form: RefObject<HTMLFormElement | null>,
) {
  const { t } = useTranslation("common");
  const [shown, setShown] = useState(nothing);
  const focusFault = useFaultFocus(form);
  const codesOf = (judged: Values): Readonly<Record<string, string>> => ({
    ...Object.fromEntries(
      requiredOf(plan, judged)
        .filter((name) => isEmpty(judged[name]))
        .map((name) => [name, "required"]),
    ),
    ...onlyFaults(plan.check?.(judged) ?? {}),
  });
  const show = (next: Shown) => {
    setShown(next);
    focusFault();
  };
  return {
    isSound: () => Object.keys(codesOf(values)).length === 0,
    /** Checks everything; the first fault gets the focus. True if valid. */
    judge: (judged: Values): boolean => {
      const codes = codesOf(judged);
      setShown({ codes, msg: null });
      const isWrong =
        Object.keys(codes).length > 0 || faultyIn(form.current, (each) => each.validity.customError);
      if (isWrong) focusFault();
      return !isWrong;
    },
    /** Checks some fields again. */
    rejudge: (names: readonly string[], judged: Values) => {
      const codes = codesOf(judged);
      setShown(({ msg, codes: old }) => ({
        msg,
        codes: onlyFaults({ ...old, ...Object.fromEntries(names.map((name) => [name, codes[name]])) }),
      }));
    },
    showRefusal: (error: ApiError) =>
      show({ codes: faultsOf(error, Object.keys(values), plan.names), msg: error.msg }),
    isFaulty: (name: string) => name in shown.codes,
    wordsOf: (name: keyof Values & string): string | undefined => {
      const code = shown.codes[name];
      if (code === undefined) return undefined;
      const own =
        plan.words?.(code, name, values) ?? (code === "required" ? t("dialog.required") : undefined);
      return own ?? (isSentence(code) ? code : (shown.msg ?? code));
    },
    forget: () => setShown(nothing),
  };
}

const isEmpty = (value: unknown) => value === null || (typeof value === "string" && value.trim() === "");

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function faultyIn(form: HTMLFormElement | null, isFaulty: (each: Control) => boolean): Control | undefined {
  return [...(form?.querySelectorAll<Control>("input, select, textarea") ?? [])].find(isFaulty);
}

/**
 * Focuses the first faulty field, once it is rendered as such. Unparsable text is a fault of its field alone.
 */
function useFaultFocus(form: RefObject<HTMLFormElement | null>): () => void {
  const [times, setTimes] = useState(0);
  useEffect(() => {
    if (times === 0) return;
    const isMarked = (each: Control) =>
      each.getAttribute("aria-invalid") === "true" || each.validity.customError;
    faultyIn(form.current, isMarked)?.focus();
  }, [times, form]);
  return () => setTimes((before) => before + 1);
}
