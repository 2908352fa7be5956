import { validation, type ValidationKind } from "@metrum/contract/accounting";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { useFormat, useNow } from "#lib/format";
import { useAllowed } from "#lib/session";
import { ObjectTabs } from "#object-tabs";
import { Button } from "#ui/button";
import { alert } from "#ui/dialog";
import { SelectField } from "#ui/field";
import { SearchBox } from "#ui/search";
import { ErrorState } from "#ui/states";
import { filterOf, periods, readAddress, writeAddress, type Address } from "./address.ts";
import { ExceptionGroup } from "./ExceptionList.tsx";
import { useKeys } from "./keys.ts";
import { NoException, OpenException } from "./OpenException.tsx";
import { RulesDialog } from "./RulesDialog.tsx";
import { SaveMenu } from "./SaveMenu.tsx";
import { useDecisions, type Decisions, type Verb } from "./useDecisions.ts";
import { useGroups } from "./useGroups.ts";
import "./validation.css";
import "./evidence.css";

/** The address and how it changes. */
function useAddress() {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const address = readAddress(search);
  const go = (changed: Partial<Address>, replace = false) =>
    void navigate({ to: ".", search: writeAddress({ ...address, ...changed }), replace });
  return { address, go };
}

/** Values that a rule doubts: a list by rule, the evidence, and the decisions with their keys. */
export function ValidationPage() {
  const { t } = useTranslation("validation");
  const { address, go } = useAddress();
  const now = useNow(600_000);
  const filter = filterOf(address, now);
  const summary = useCall(
    validation.summary,
    { body: filter },
    { isQuiet: true, keepsPrevious: true, everyMs: 60_000 },
  );
  const decisions = useDecisions();
  const [hasRules, setRules] = useState(false);
  const groups = summary.data?.groups ?? [];
  const kinds = groups.map(({ kind }) => kind);
  // As the opened exception asks for itself: one request.
  const opened = useCall(
    validation.get,
    { body: { exception_id: address.current ?? 0, window: address.window } },
    { isQuiet: true, isEnabled: address.current !== undefined },
  );
  const shown = useGroups({
    kinds,
    current: address.current,
    home: opened.data?.exception.kind,
    onOpen: (current, isFirst) => go({ current }, isFirst),
  });
  const onDecided = () => {
    if (!shown.step(1) && !shown.step(-1)) go({ current: undefined });
  };
  useKeys(["next", "previous", "help"], (key) => {
    if (key === "next") shown.step(1);
    if (key === "previous") shown.step(-1);
    if (key === "help") void alert({ title: t("keys.title"), text: t("keys.text") });
  });
  return (
    <div className="inbox" data-open={address.current === undefined ? undefined : ""}>
      <Head summary={summary.data} filter={filter} onRules={() => setRules(true)} />
      <ObjectTabs
        current="validation"
        onReset={() => go({ current: undefined, text: "", kind: undefined })}
      />
      <Tools address={address} onChange={go} />
      <div className="inbox-columns">
        <nav className="inbox-panel inbox-list" aria-label={t("byRule")}>
          <header className="inbox-head">
            <h2>{t("byRule")}</h2>
            <Button kind="quiet" onClick={() => go({ sort: address.sort === "asc" ? "desc" : "asc" })}>
              {t(`sort.${address.sort}`)}
            </Button>
          </header>
          {summary.error ? (
            <ErrorState
              title={t("failed")}
              message={reasonOf(summary.error)}
              onRetry={() => void summary.refetch()}
            />
          ) : null}
          <div className="inbox-groups" aria-busy={summary.isPending}>
            {groups.map((group) => (
              <ExceptionGroup
                key={group.kind}
                group={group}
                filter={filter}
                sort={address.sort}
                isOpen={shown.isUnfolded(group.kind)}
                onFold={(isOpen) => shown.fold(group.kind, isOpen)}
                current={address.current}
                shown={shown.sizeOf(group.kind)}
                onMore={() => shown.grow(group.kind)}
                onOpen={({ id }) => go({ current: id })}
                onRows={shown.note}
              />
            ))}
          </div>
          <Whole
            groups={groups}
            filter={filter}
            kind={address.kind}
            decisions={decisions}
            isOpen={address.state === "open"}
          />
        </nav>
        {address.current === undefined ? (
          <NoException isEmpty={summary.data !== undefined && groups.length === 0} />
        ) : (
          <OpenException
            key={address.current}
            id={address.current}
            window={address.window}
            onWindow={(window) => go({ window })}
            decisions={decisions}
            onDecided={onDecided}
            onBack={() => go({ current: undefined })}
          />
        )}
      </div>
      {hasRules ? <RulesDialog onClose={() => setRules(false)} /> : null}
    </div>
  );
}

interface HeadProps {
  readonly summary:
    | { readonly open: number; readonly closed_today: number; readonly oldest_at: number | null }
    | undefined;
  readonly filter: ReturnType<typeof filterOf>;
  readonly onRules: () => void;
}

function Head({ summary, filter, onRules }: HeadProps) {
  const { t } = useTranslation("validation");
  const { number, age } = useFormat();
  const now = useNow();
  return (
    <header className="inbox-title">
      <h1>{t("title")}</h1>
      {summary ? (
        <>
          <span className="inbox-count">
            {t("open", { count: summary.open, shown: number(summary.open, 0) })}
          </span>
          <span>
            {t("closedToday", { count: summary.closed_today, shown: number(summary.closed_today, 0) })}
            {summary.oldest_at === null
              ? ""
              : `, ${t("oldest", { age: age(Math.max(0, now - summary.oldest_at)) })}`}
          </span>
        </>
      ) : null}
      <span className="inbox-buttons">
        <SaveMenu filter={filter} />
        <Button icon="settings" onClick={onRules}>
          {t("rules.open")}
        </Button>
      </span>
    </header>
  );
}

interface ToolsProps {
  readonly address: Address;
  readonly onChange: (changed: Partial<Address>) => void;
}

function Tools({ address, onChange }: ToolsProps) {
  const { t } = useTranslation("validation");
  return (
    <div className="inbox-tools">
      <SearchBox label={t("search")} value={address.text} onSearch={(text) => onChange({ text })} />
      <SelectField
        label={t("period.label")}
        value={address.days === undefined ? "all" : String(address.days)}
        onValue={(value) => onChange({ days: value === "all" ? undefined : Number(value) })}
        options={[
          { value: "all", title: t("period.all") },
          ...periods.map((days) => ({ value: String(days), title: t("period.days", { count: days }) })),
        ]}
      />
      <SelectField
        label={t("state.label")}
        value={address.state}
        onValue={(state) => onChange({ state, current: undefined })}
        options={(["open", "closed"] as const).map((value) => ({ value, title: t(`state.${value}`) }))}
      />
      {address.kind === undefined ? null : (
        <Button icon="close" onClick={() => onChange({ kind: undefined })}>
          {t("everyRule")}
        </Button>
      )}
      {address.month === undefined ? null : (
        <Button icon="close" onClick={() => onChange({ month: undefined })}>
          {t("onlyMonth", { month: address.month.split("-").toReversed().join(".") })}
        </Button>
      )}
      {address.branch === undefined ? null : (
        <Button icon="close" onClick={() => onChange({ branch: undefined })}>
          {t("everyBranch")}
        </Button>
      )}
      <span className="inbox-keys" aria-hidden="true">
        <kbd>J</kbd> {t("keys.next")} <kbd>K</kbd> {t("keys.previous")} <kbd>?</kbd> {t("keys.all")}
      </span>
    </div>
  );
}

interface WholeProps {
  readonly groups: readonly {
    readonly kind: ValidationKind;
    readonly title: string;
    readonly count: number;
  }[];
  readonly filter: ReturnType<typeof filterOf>;
  readonly kind: ValidationKind | undefined;
  readonly decisions: Decisions;
  readonly isOpen: boolean;
}

/** Decides all exceptions of one rule; the largest is offered first. */
function Whole({ groups, filter, kind, decisions, isOpen }: WholeProps) {
  const { t } = useTranslation("validation");
  const { number } = useFormat();
  const mayChange = useAllowed("6:update|6:access_all");
  const [chosen, choose] = useState<ValidationKind | null>(null);
  const group = groups.find((each) => each.kind === (chosen ?? kind)) ?? groups[0];
  if (!group || !mayChange || !isOpen) return null;
  const run = (verb: Verb) => void decisions.decideAll(verb, { ...filter, kind: group.kind }, group.count);
  return (
    <footer className="inbox-whole">
      <SelectField
        label={t("all.label")}
        value={group.kind}
        onValue={choose}
        options={groups.map(({ kind: value, title, count }) => ({
          value,
          title: `${title}, ${number(count, 0)}`,
        }))}
      />
      <span>
        {(["estimate", "accept", "reject"] as const).map((verb) => (
          <Button key={verb} kind="link" disabled={decisions.isBusy} onClick={() => run(verb)}>
            {t(`verb.${verb}`)}
          </Button>
        ))}
      </span>
    </footer>
  );
}
