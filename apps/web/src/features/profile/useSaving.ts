import type { Call, InputOf, ReplyOf } from "@metrum/contract";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, exchange } from "#lib/call";
import { snack } from "#ui/snackbar";

type Faults = Readonly<Record<string, string>>;
const none: Faults = {};

/** Codes of the server that have words of their own here; for any other its own sentence is shown. */
const known = ["easy_password", "common_password", "same_password", "passwords_differ", "unknown_zone"];

/**
 * Sends what a panel has entered. What the server refuses is told at the fields it names; a refusal that names none of
 * `fields` is shown like any other failure. `send` answers undefined when it was refused.
 */
export function useSaving<C extends Call>(definition: C, fields: readonly string[]) {
  const { t } = useTranslation("profile");
  const [isSaving, setSaving] = useState(false);
  const [faults, keepFaults] = useState(none);
  const [judged, setJudged] = useState(0);
  const setFaults = (found: Faults) => {
    keepFaults(found);
    if (Object.keys(found).length > 0) setJudged((before) => before + 1);
  };
  useEffect(() => {
    if (judged > 0) focusFirstFault();
  }, [judged]);

  const wordsOf = (error: ApiError, code: string) =>
    known.includes(code) ? t(`fault.${code}`) : (error.msg ?? code);
  const faultsOf = (error: ApiError): Faults =>
    Object.fromEntries(
      Object.entries(error.attributes)
        .filter(([field]) => fields.includes(field))
        .map(([field, [code = ""]]) => [field, wordsOf(error, code)]),
    );
  const send = async (input: InputOf<C>): Promise<ReplyOf<C> | undefined> => {
    setSaving(true);
    try {
      const { data, msg } = await exchange(definition, input, {
        isQuiet: (error) => Object.keys(faultsOf(error)).length > 0,
      });
      setFaults(none);
      if (msg !== "") snack({ text: msg });
      return data;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFaults(faultsOf(error));
      return undefined;
    } finally {
      setSaving(false);
    }
  };
  const forget = (field: string) =>
    keepFaults((old) => Object.fromEntries(Object.entries(old).filter(([name]) => name !== field)));
  return { isSaving, faults, send, setFaults, forget, clear: () => setFaults(none) };
}

/** Of the form that was sent; a button that was disabled meanwhile has lost the focus, then of the screen. */
function focusFirstFault(): void {
  const form = document.activeElement?.closest("form") ?? document;
  form.querySelector<HTMLElement>("input[aria-invalid]")?.focus();
}
