import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { exchange, type SendOptions } from "#lib/call";
import { useFormat } from "#lib/format";
import { useForm } from "#ui/form";
import { changedFrom } from "./changed.ts";
import type { Ask, RecordForm } from "./defineRecord.ts";
import type { FieldWords } from "./types.ts";

export interface Recorded<
  Stored,
  Values extends object,
  Body extends object,
  Reply,
  Given extends object,
  Asked extends object,
> {
  readonly form: RecordForm<Stored, Values, Body, Reply, Given, Asked>;
  /** The record to change; null adds one. */
  readonly record: Stored | null;
  readonly given: Given;
  /** Brings the record as it is now, when another user has changed it meanwhile. */
  readonly reload?: (() => Promise<unknown>) | undefined;
  /** It is saved; what shows it is fetched again afterwards. */
  readonly onLeave: (reply: Reply) => void;
  /** What shows it is new. */
  readonly onSaved?: ((reply: Reply) => void) | undefined;
}

/** The state of a record form, and what its rows know. */
export function useRecord<
  Stored,
  Values extends object,
  Body extends object,
  Reply,
  Given extends object,
  Asked extends object,
>(props: Recorded<Stored, Values, Body, Reply, Given, Asked>) {
  const { form: plan, record, given, reload } = props;
  const { useAsked = useNothing, required } = plan;
  const { t }: { readonly t: TFunction } = useTranslation(plan.texts);
  const formats = useFormat();
  const stored = plan.values(record, given);
  const form = useForm<Values, Reply>({
    stored,
    required: typeof required === "function" ? (values) => required(values, record) : required,
    ...(plan.check ? { check: plan.check } : {}),
    ...(plan.names ? { names: plan.names } : {}),
    words: (code, name) =>
      plan.words?.(code, name, t) ?? (plan.faults?.includes(code) ? t(`fault.${code}`) : undefined),
    send: (values, options) => {
      const ask = asking(plan.isPermitted, options);
      const body = plan.body(values, record, own);
      if (record === null) return plan.add(body, ask, given);
      return plan.change(record, changedFrom(plan.body(stored, record, own), body), ask, body);
    },
    onSaved: async (reply) => {
      props.onLeave(reply);
      await plan.refresh();
      props.onSaved?.(reply);
    },
    ...(reload ? { onConflict: reload } : {}),
  });
  const own: Given & Asked = { ...given, ...(useAsked(form.values, given) as Asked) };
  const words: FieldWords & Given & Asked = {
    ...own,
    ...formats,
    t,
    isNew: record === null,
    titleOf: (name) => `${plan.titles}.${name}`,
  };
  const [add, change] = plan.action ?? ["form.create", "form.save"];
  return { form, words, action: t(record === null ? add : change) };
}

const useNothing = () => ({});

interface Permitted {
  readonly isPermitted?: RecordForm<never, object, object, never, object, object>["isPermitted"];
}

/** Calls that the session lacks the right for are reported instead of sent. */
const asking =
  (isPermitted: Permitted["isPermitted"], options: SendOptions): Ask =>
  async (call, input) =>
    isPermitted?.(call) === false ? undefined : exchange(call, input, options);
