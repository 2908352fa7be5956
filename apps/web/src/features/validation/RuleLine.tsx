import {
  validation,
  type HoldingRule,
  type ValidationRule,
  type ValidationRuleKind,
} from "@metrum/contract/accounting";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, exchange } from "#lib/call";
import { useAllowed } from "#lib/session";
import { Button } from "#ui/button";
import { change } from "#ui/change";
import { NumberField, Switch } from "#ui/field";
import { keyOfSubject, subjectOfRule, type Subject } from "./ruleSubject.ts";

interface Props {
  readonly kind: ValidationRuleKind;
  readonly subject: Subject;
  readonly holding: HoldingRule | undefined;
  /** Own rules of models and points, which hold before this one. */
  readonly narrower: readonly ValidationRule[];
  readonly onSubject: (subject: Subject) => void;
}

const refreshed = [validation.rules, validation.list, validation.summary];

/** One kind of rule for the chosen resource, model or point. */
export function RuleLine({ kind, subject, holding, narrower, onSubject }: Props) {
  const { t } = useTranslation("validation");
  const mayChange = useAllowed("6:update|6:access_all");
  const rule = useRuleChange(kind, subject, holding);
  if (!holding) return null;
  const isOff = !mayChange || rule.isBusy;
  return (
    <li>
      <div className="rules-name">
        <Switch checked={holding.is_on} disabled={isOff} onChange={() => rule.save(!holding.is_on)}>
          {kind.title}
        </Switch>
        <p>{kind.about}</p>
        <Source holding={holding} subject={subject} />
        {narrower.length === 0 ? null : (
          <p className="rules-narrower">
            {t("rules.narrower")}{" "}
            {narrower.map((each) => (
              <Button
                key={`${String(each.model_id)} ${String(each.point_id)}`}
                kind="link"
                onClick={() => onSubject(subjectOfRule(each) ?? subject)}
              >
                {each.point_name ?? each.model_title}
              </Button>
            ))}
          </p>
        )}
      </div>
      <div className="rules-numbers">
        {kind.parameters.map(({ name, title, unit, min, max }) => (
          <NumberField
            key={name}
            label={title}
            value={rule.draft[name] ?? holding.parameters[name] ?? min}
            onValue={(value) => value !== null && rule.put(name, value)}
            error={rule.faults[`parameters.${name}`]?.[0]}
            min={min}
            max={max}
            decimals={3}
            unit={unit === "amount" || unit === "count" ? undefined : t(`unit.${unit}`)}
            disabled={isOff || !holding.is_on}
          />
        ))}
      </div>
      <div className="rules-actions">
        {rule.isDirty ? (
          <Button kind="primary" disabled={rule.isBusy} onClick={() => rule.save(holding.is_on)}>
            {t("rules.save")}
          </Button>
        ) : null}
        {holding.is_own && mayChange ? (
          <Button kind="link" disabled={rule.isBusy} onClick={rule.reset}>
            {t(holding.inherited.source === "default" ? "rules.reset" : "rules.inherit")}
          </Button>
        ) : null}
      </div>
    </li>
  );
}

/** The typed numbers, sent with those that hold, so that a wider rule changes none of them later. */
function useRuleChange({ kind }: ValidationRuleKind, subject: Subject, holding: HoldingRule | undefined) {
  const [draft, setDraft] = useState<Readonly<Record<string, number>>>({});
  const [faults, setFaults] = useState<ApiError["attributes"]>({});
  const [isBusy, setBusy] = useState(false);
  const key = keyOfSubject(subject);
  const run = async (send: () => Promise<{ readonly msg: string }>) => {
    setBusy(true);
    setFaults({});
    const isDone = await change(
      () =>
        send().catch((error: unknown) => {
          if (error instanceof ApiError) setFaults(error.attributes);
          throw error;
        }),
      { refreshed },
    );
    if (isDone) setDraft({});
    setBusy(false);
  };
  return {
    draft,
    faults,
    isBusy,
    isDirty: Object.keys(draft).length > 0,
    put: (name: string, value: number) => setDraft({ ...draft, [name]: value }),
    save: (is_on: boolean) =>
      void run(() =>
        exchange(validation.saveRule, {
          body: { kind, ...key, is_on, parameters: { ...holding?.parameters, ...draft } },
        }),
      ),
    reset: () => void run(() => exchange(validation.resetRule, { body: { kind, ...key } })),
  };
}

/** Where the rule comes from; of an own one also what holds without it. */
function Source({ holding, subject }: { readonly holding: HoldingRule; readonly subject: Subject }) {
  const { t } = useTranslation("validation");
  const nameOf = ({ source, source_title }: Pick<HoldingRule, "source" | "source_title">) =>
    t(`rules.from.${source}`, { model: source_title ?? "" });
  const { inherited } = holding;
  if (!holding.is_own) return <p>{nameOf(holding)}</p>;
  return (
    <p>
      <b>{t(`rules.own.${subject.level}`)}</b>.{" "}
      {t("rules.without", {
        from: nameOf(inherited),
        state: t(inherited.is_on ? "rules.on" : "rules.off"),
      })}
    </p>
  );
}
