import { useRef, useState } from "react";
import { ApiError } from "#lib/call";
import { snack } from "#ui/snackbar";
import { useDraft } from "./draft.ts";
import { faultsOf } from "./faults.ts";
import { useJudging } from "./judging.ts";
import { requiredOf, type Form, type FormPlan } from "./plan.ts";

/** A form: values and their draft, faults at their fields, and the call to the server. */
export function useForm<Values extends object, Reply>(plan: FormPlan<Values, Reply>): Form<Values> {
  const draft = useDraft(plan.stored);
  const element = useRef<HTMLFormElement>(null);
  const judging = useJudging(plan, draft.values, element);
  const [isBusy, setBusy] = useState(false);
  const [isConflict, setConflict] = useState(false);
  const isSending = useRef(false);

  const put = (change: object) => {
    draft.put(change);
    const mended = Object.keys(change).filter(judging.isFaulty);
    if (mended.length > 0) judging.rejudge(mended, { ...draft.values, ...change });
  };
  const discard = () => {
    draft.discard();
    judging.forget();
    setConflict(false);
  };
  const deliver = async (values: Values) => {
    const isQuiet = (error: ApiError) =>
      isOfOthers(error, plan) || Object.keys(faultsOf(error, Object.keys(values), plan.names)).length > 0;
    const answer = await plan.send(values, { isQuiet });
    if (answer === undefined) return;
    if (!plan.isSilent && answer.msg !== "") snack(answer.msg);
    await plan.onSaved?.(answer.data, answer.msg);
    if (!plan.keepsDraft) discard();
  };
  const refused = async (error: ApiError) => {
    plan.onRefused?.(error);
    const isTheirs = isOfOthers(error, plan);
    if (isTheirs) await plan.onConflict?.();
    setConflict(isTheirs);
    judging.showRefusal(error);
  };
  const submit = async (change?: Partial<Values>) => {
    const values = { ...draft.values, ...change };
    if (isSending.current || !judging.judge(values)) return;
    isSending.current = true;
    setBusy(true);
    try {
      await deliver(values);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await refused(error);
    } finally {
      isSending.current = false;
      setBusy(false);
    }
  };
  return {
    values: draft.values,
    isDirty: draft.isDirty,
    isBusy,
    isConflict,
    element,
    field: (name) => ({
      name,
      value: draft.values[name],
      onValue: (value) => put({ [name]: value }),
      error: judging.wordsOf(name),
      isRequired: requiredOf(plan, draft.values).includes(name),
      theirs: isConflict && draft.collides(name) ? plan.stored[name] : undefined,
    }),
    set: put,
    discard,
    isSound: judging.isSound,
    leave: (name) => {
      if (draft.differs(name)) judging.rejudge([name], draft.values);
    },
    submit,
  };
}

/** Another user has saved first, and the form can show their values. */
const isOfOthers = ({ code }: ApiError, { onConflict }: { readonly onConflict?: unknown }) =>
  code === "conflict" && onConflict !== undefined;
