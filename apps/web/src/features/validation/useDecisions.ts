import { validation, type EstimationMethod } from "@metrum/contract/accounting";
import type { InputOf } from "@metrum/contract/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange } from "#lib/call";
import { change } from "#ui/change";
import { askText, confirm } from "#ui/dialog";

export type Verb = "accept" | "reject" | "estimate" | "ask";
type Body = NonNullable<InputOf<typeof validation.accept>["body"]>;

const refreshed = [validation.list, validation.summary, validation.get];

/** Sends decisions; the call reports a failure, and a single decision can be taken back from its message. */
export function useDecisions() {
  const { t } = useTranslation("validation");
  const [isBusy, setBusy] = useState(false);
  const run = async (send: () => Promise<{ readonly msg: string }>, undo?: () => void): Promise<boolean> => {
    setBusy(true);
    try {
      return await change(send, { refreshed, undo });
    } finally {
      setBusy(false);
    }
  };
  const undo = (id: number) => run(() => exchange(validation.undo, { body: { exception_id: id } }));
  const callOf = { accept: validation.accept, reject: validation.reject, ask: validation.ask };
  const send = (verb: Verb, body: Body, method?: { method: EstimationMethod; amount?: number }) =>
    verb === "estimate"
      ? exchange(validation.estimate, { body: { ...body, ...method } })
      : exchange(callOf[verb], { body });
  return {
    isBusy,
    undo,
    decide: (verb: Verb, id: number, method?: { method: EstimationMethod; amount?: number }) =>
      run(
        () => send(verb, { exception_ids: [id] }, method),
        verb === "ask" ? undefined : () => void undo(id),
      ),
    async decideAll(verb: Verb, filter: NonNullable<Body["filter"]>, count: number): Promise<boolean> {
      const isSure = await confirm({
        title: t(`all.${verb}`, { count }),
        text: t("all.text"),
        action: t(`verb.${verb}`),
        isHarmful: verb === "reject",
      });
      return isSure && run(() => send(verb, { filter }));
    },
    async comment(id: number): Promise<void> {
      const text = await askText({
        title: t("comment.title"),
        label: t("comment.label"),
        action: t("verb.comment"),
        maxLength: 1000,
      });
      if (text === null || text.trim() === "") return;
      await run(() => exchange(validation.comment, { body: { exception_id: id, text } }));
    },
  };
}

export type Decisions = ReturnType<typeof useDecisions>;
