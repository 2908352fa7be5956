import { validation, type EstimationMethod, type OpenedException } from "@metrum/contract/accounting";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { formatTime, useFormat } from "#lib/format";
import { useAllowed, useSession } from "#lib/session";
import { Button } from "#ui/button";
import { NumberField, Segmented, SelectField } from "#ui/field";
import { EmptyState, ErrorState } from "#ui/states";
import { StatusGlyph } from "#ui/status";
import { windows, type ChartWindow } from "./address.ts";
import { EvidenceChart } from "./EvidenceChart.tsx";
import { Facts } from "./Facts.tsx";
import { useKeys } from "./keys.ts";
import type { Decisions, Verb } from "./useDecisions.ts";
import { WhatChanges } from "./WhatChanges.tsx";

interface Props {
  readonly id: number;
  readonly window: ChartWindow;
  readonly onWindow: (window: ChartWindow) => void;
  readonly decisions: Decisions;
  /** A decision was taken: the next one is shown. */
  readonly onDecided: () => void;
  readonly onBack: () => void;
}

/** One exception: chart and what changes in the middle, facts and decisions at the right. */
export function OpenException({ id, window, onWindow, decisions, onDecided, onBack }: Props) {
  const { t } = useTranslation("validation");
  const [method, setMethod] = useState<EstimationMethod | null>(null);
  const [amount, setAmount] = useState<number | null>(null);
  const [isJudged, setJudged] = useState(false);
  const isMissing = method === "given" && amount === null;
  const given = isMissing ? null : method;
  const { data, error, refetch } = useCall(
    validation.get,
    {
      body: {
        exception_id: id,
        window,
        ...(given === null ? {} : { method: given }),
        ...(given === "given" && amount !== null ? { amount } : {}),
      },
    },
    { isQuiet: true, keepsPrevious: true },
  );
  const decide = async (verb: Verb) => {
    if (verb === "estimate" && isMissing) {
      setJudged(true);
      return;
    }
    const wanted = given === null ? undefined : { method: given, ...(amount === null ? {} : { amount }) };
    const isDone = await decisions.decide(verb, id, verb === "estimate" ? wanted : undefined);
    if (isDone && verb !== "ask") onDecided();
  };
  const can = useCan(data);
  useKeys(["estimate", "accept", "reject", "ask", "comment"], (key) => {
    if (decisions.isBusy || data?.exception.id !== id) return;
    if (!can[key]) return;
    if (key === "comment") void decisions.comment(id);
    else void decide(key);
  });
  if (error)
    return <ErrorState title={t("failed")} message={reasonOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <div className="inbox-middle" aria-busy="true" />;
  return (
    <>
      <div className="inbox-middle">
        <section className="inbox-panel">
          <header className="inbox-head">
            <Button kind="quiet" icon="chevronLeft" onClick={onBack}>
              {t("back")}
            </Button>
            <h2>{data.exception.point_name ?? data.exception.device_name}</h2>
            <small>{data.exception.place}</small>
            <Segmented
              name="window"
              label={t("window.label")}
              value={window}
              onValue={onWindow}
              options={windows.map((value) => ({ value, title: t(`window.${value}`) }))}
            />
          </header>
          <EvidenceChart opened={data} />
          {data.proposal ? (
            <Method
              opened={data}
              method={method}
              amount={amount}
              fault={isJudged && isMissing ? t("amountNeeded") : undefined}
              onMethod={setMethod}
              onAmount={setAmount}
            />
          ) : null}
        </section>
        <WhatChanges opened={data} />
      </div>
      <aside className="inbox-panel inbox-side">
        <Side opened={data} can={can} decisions={decisions} onDecide={(verb) => void decide(verb)} />
      </aside>
    </>
  );
}

type Can = Readonly<Record<"estimate" | "accept" | "reject" | "ask" | "comment" | "undo", boolean>>;

/** What the exception and the rights of the user permit. */
function useCan(opened: OpenedException | undefined): Can {
  const mayChange = useAllowed("6:update|6:access_all");
  const mayAsk = useAllowed("6:update&(4:read|4:access_all)");
  const { accept = false, reject = false, estimate = false, ask = false, undo = false } = opened?.can ?? {};
  return {
    accept: mayChange && accept,
    reject: mayChange && reject,
    estimate: mayChange && estimate,
    ask: mayAsk && ask,
    undo: mayChange && undo,
    comment: mayChange && opened !== undefined,
  };
}

interface MethodProps {
  readonly opened: OpenedException;
  readonly method: EstimationMethod | null;
  readonly amount: number | null;
  readonly fault: string | undefined;
  readonly onMethod: (method: EstimationMethod) => void;
  readonly onAmount: (amount: number | null) => void;
}

function Method({ opened, method, amount, fault, onMethod, onAmount }: MethodProps) {
  const { t } = useTranslation("validation");
  const { proposal, unit } = opened;
  if (!proposal) return null;
  return (
    <div className="inbox-method">
      <p>{proposal.text}</p>
      <SelectField
        label={t("method")}
        value={method ?? proposal.method}
        onValue={onMethod}
        options={proposal.methods
          .filter(({ is_possible }) => is_possible)
          .map(({ method: value, title }) => ({ value, title }))}
      />
      {method === "given" ? (
        <NumberField
          label={t("amount")}
          value={amount}
          onValue={onAmount}
          min={0}
          decimals={3}
          unit={unit}
          error={fault}
        />
      ) : null}
    </div>
  );
}

interface SideProps {
  readonly opened: OpenedException;
  readonly can: Can;
  readonly decisions: Decisions;
  readonly onDecide: (verb: Verb) => void;
}

const verbs = ["estimate", "accept", "reject", "ask"] as const;
const letters = { estimate: "E", accept: "A", reject: "R", ask: "P", comment: "C" } as const;

function Side({ opened, can, decisions, onDecide }: SideProps) {
  const { t } = useTranslation("validation");
  const { zone } = useSession();
  const { number } = useFormat();
  const { exception } = opened;
  const { isBusy } = decisions;
  const hintOf = (verb: Verb): string =>
    (verb === "accept" || verb === "reject" ? opened.decides?.[verb] : undefined) ?? t(`hint.${verb}`);
  return (
    <>
      <header className="inbox-head">
        <StatusGlyph kind={exception.outcome === null ? "alarm" : "ok"} />
        <h2>{exception.kind_title}</h2>
        <small>{t("found", { at: formatTime(exception.found_at, zone) })}</small>
      </header>
      {exception.outcome === null ? null : (
        <p className="inbox-outcome" role="status">
          {exception.outcome_reason ?? t(`outcome.${exception.outcome}`, { by: exception.closed_by ?? "—" })}
        </p>
      )}
      <Facts opened={opened} />
      <ClosedPeriod period={opened.closed_period} />
      <div className="inbox-verbs">
        {verbs.map((verb) =>
          can[verb] ? (
            <Button
              key={verb}
              kind={verb === "estimate" ? "primary" : "secondary"}
              isWide
              disabled={isBusy}
              onClick={() => onDecide(verb)}
            >
              {t(`verb.${verb}`)} <small>{hintOf(verb)}</small> <kbd>{letters[verb]}</kbd>
            </Button>
          ) : null,
        )}
        {can.comment ? (
          <Button isWide disabled={isBusy} onClick={() => void decisions.comment(exception.id)}>
            {t("verb.comment")}{" "}
            <small>{exception.comments === 0 ? t("hint.noComment") : number(exception.comments, 0)}</small>{" "}
            <kbd>{letters.comment}</kbd>
          </Button>
        ) : null}
        {can.undo ? (
          <Button isWide disabled={isBusy} onClick={() => void decisions.undo(exception.id)}>
            {t("verb.undo")}
          </Button>
        ) : null}
        <p className="inbox-note">{t("kept")}</p>
      </div>
    </>
  );
}

/** The settlement period that bills the values, if it is closed: none of them can be changed. */
function ClosedPeriod({ period }: { readonly period: OpenedException["closed_period"] }) {
  const { t } = useTranslation("validation");
  if (!period) return null;
  const day = (text: string) => text.split("-").toReversed().join(".");
  return (
    <p className="inbox-outcome" role="status">
      <a href={`#/cloud/objects/periods/${String(period.id)}`}>
        {t("closedPeriod", { from: day(period.from_day), to: day(period.to_day) })}
      </a>{" "}
      {t("closedHint")}
    </p>
  );
}

/** Nothing is chosen. */
export function NoException({ isEmpty }: { readonly isEmpty: boolean }) {
  const { t } = useTranslation("validation");
  return (
    <div className="inbox-middle">
      <EmptyState
        title={t(isEmpty ? "empty.title" : "choose")}
        text={isEmpty ? t("empty.text") : undefined}
      />
    </div>
  );
}
