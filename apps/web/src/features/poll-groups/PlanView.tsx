import type { InputOf } from "@metrum/contract/core";
import { pollPlan, type PlanLine, type PollPlan } from "@metrum/contract/headend";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { gatewayHref } from "#lib/screen";
import { useSession } from "#lib/session";
import { Button } from "#ui/button";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { Status } from "#ui/status";
import {
  campaignText,
  kindOf,
  lineText,
  paceText,
  scaleOf,
  timeText,
  type PlanWords,
  type Scale,
} from "./planWords.ts";
import "./plan.css";

/** How often the plan is refetched. */
const everyMs = 10_000;
const pageLines = 50;

type Scope = NonNullable<InputOf<typeof pollPlan.get>["body"]>;

/** The plan of polling by line: what runs, what waits and why, and when it is done. */
export function PlanView({ of }: { readonly of: Scope }) {
  const { t } = useTranslation("pollGroups");
  const [count, setCount] = useState(pageLines);
  const body = { ...of, per_page: count };
  const { data, error, refetch } = useCall(
    pollPlan.get,
    { body },
    { isQuiet: true, everyMs, keepsPrevious: true },
  );
  if (!data && error)
    return <ErrorState title={t("plan.failed")} message={reasonOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={320} />;
  const { plan } = data;
  if (plan.device_count === 0) return <EmptyState title={t("plan.empty")} />;
  const left = plan.lines.total - plan.lines.data.length;
  return (
    <section className="plan" aria-label={t("plan.title")}>
      <PlanHead plan={plan} />
      <PlanLines plan={plan} />
      {left > 0 ? (
        <Button onClick={() => setCount(plan.lines.total > 250 ? 1000 : 250)}>
          {t("plan.more", { count: left })}
        </Button>
      ) : null}
    </section>
  );
}

function usePlanWords(): PlanWords {
  const { t } = useTranslation("pollGroups");
  const { number, age } = useFormat();
  const { zone } = useSession();
  return { t, number, age, zone };
}

/** One sentence for the whole plan, and the meaning of the bars. */
function PlanHead({ plan }: { readonly plan: PollPlan }) {
  const words = usePlanWords();
  const { t } = words;
  return (
    <header className="plan-head">
      <p role="status">{campaignText(plan, words)}</p>
      <ul className="plan-legend" aria-label={t("plan.legend")}>
        {(["running", "planned", "waiting"] as const).map((kind) => (
          <li key={kind}>
            <i className={`plan-bar is-${kind}`} />
            {t(`plan.bar.${kind}`)}
          </li>
        ))}
      </ul>
    </header>
  );
}

function PlanLines({ plan }: { readonly plan: PollPlan }) {
  const { t, zone } = usePlanWords();
  const scale = scaleOf(plan);
  const isEndShown = plan.ends_at !== null;
  return (
    <div className="plan-table" role="table" aria-label={t("plan.title")}>
      <div className="plan-row plan-scale" role="row">
        <span role="columnheader">{t("plan.line")}</span>
        <span role="columnheader" aria-label={t("plan.when")}>
          <span className="plan-tick is-now">
            {t("plan.now", { time: timeText(plan.at, plan.at, zone) })}
          </span>
          {scale.ticks.map((at) => (
            <span key={at} className="plan-tick" style={{ left: `${String(scale.at(at))}%` }}>
              {timeText(at, plan.at, zone)}
            </span>
          ))}
        </span>
      </div>
      {plan.lines.data.map((line) => (
        <PlanRow key={line.line} line={line} now={plan.at} scale={scale} />
      ))}
      {isEndShown ? null : <p className="plan-none">{t("plan.noEnd")}</p>}
    </div>
  );
}

interface RowProps {
  readonly line: PlanLine;
  readonly now: number;
  readonly scale: Scale;
}

function PlanRow({ line, now, scale }: RowProps) {
  const words = usePlanWords();
  const { t, number } = words;
  const pace = paceText(line, words);
  return (
    <div className="plan-row" role="row">
      <span role="rowheader" className="plan-name">
        <LineName line={line} />
        <small>
          {t("plan.left", {
            count: line.device_count,
            left: number(line.left_count, 0),
            all: number(line.device_count, 0),
          })}
        </small>
      </span>
      <span role="cell" className="plan-when">
        <Bars line={line} now={now} scale={scale} />
        <span className="plan-said">
          <Status kind={kindOf(line)}>{lineText(line, now, words)}</Status>
          {pace === "" ? null : <small>{pace}</small>}
        </span>
      </span>
    </div>
  );
}

/** The gateway leads to its page; a line without one is named by its address. */
function LineName({ line: { line, gateway } }: { readonly line: PlanLine }) {
  const { t } = useTranslation("pollGroups");
  if (gateway) return <a href={gatewayHref(gateway.id)}>{gateway.name}</a>;
  return <b>{line === "" ? t("plan.noLine") : line.replace(/^\w+:/, "")}</b>;
}

/** Waiting until the start, then the devices that are left, with their number. */
function Bars({ line, now, scale }: RowProps) {
  const { number } = useFormat();
  const { state, left_count, ends_at } = line;
  const starts = state === "running" ? now : (line.starts_at ?? now);
  if (ends_at === null) return <span className="plan-bars" />;
  const bar = (kind: "waiting" | "running" | "planned", from: number, to: number, text = "") => (
    <i
      className={`plan-bar is-${kind}`}
      style={{ left: `${String(scale.at(from))}%`, width: `${String(scale.at(to) - scale.at(from))}%` }}
    >
      {text}
    </i>
  );
  return (
    <span className="plan-bars" aria-hidden="true">
      {starts > now && state === "waiting" ? bar("waiting", now, starts) : null}
      {bar(state === "running" ? "running" : "planned", starts, ends_at, number(Math.max(1, left_count), 0))}
    </span>
  );
}
