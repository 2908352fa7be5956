import { validation, type ValidationRule } from "@metrum/contract/accounting";
import { resourceByKey } from "@metrum/vocabulary";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { PointPicker } from "#accounting-points";
import { reasonOf, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { Button } from "#ui/button";
import { Dialog } from "#ui/dialog";
import { Segmented, SelectField } from "#ui/field";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import { ModelPicker } from "./ModelPicker.tsx";
import { RuleLine } from "./RuleLine.tsx";
import { isNarrower, judged, keyOfSubject, levels, subjectOfRule, type Subject } from "./ruleSubject.ts";

/** Rules of a resource, a model or a point: what holds, where it comes from, and back to what is inherited. */
export function RulesDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation("validation");
  const { language } = useFormat();
  const [subject, setSubject] = useState<Subject>({ level: "resource", resource: "electricity" });
  const key = keyOfSubject(subject);
  const query = useCall(validation.rules, { body: key ?? {} }, { isQuiet: true });
  const { data, error } = query;
  const ownRules = data?.rules ?? [];
  return (
    <Dialog title={t("rules.title")} size={950} onClose={onClose} closesOutside={false}>
      <div className="rules-head">
        <Segmented
          label={t("rules.level")}
          name="rules-level"
          value={subject.level}
          onValue={(level) =>
            setSubject(level === "resource" ? { level, resource: "electricity" } : { level, chosen: null })
          }
          options={levels.map((level) => ({ value: level, title: t(`rules.levels.${level}`) }))}
        />
        {subject.level === "resource" ? (
          <SelectField
            label={t("rules.resource")}
            value={subject.resource}
            onValue={(resource) => setSubject({ level: "resource", resource })}
            options={judged.map((each) => ({ value: each.key, title: each.title[language] }))}
          />
        ) : subject.level === "model" ? (
          <ModelPicker
            label={t("rules.model")}
            value={subject.chosen}
            onValue={(chosen) => setSubject({ level: "model", chosen })}
          />
        ) : (
          <Suspense fallback={<Skeleton height={56} />}>
            <PointPicker
              label={t("rules.point")}
              data-autofocus
              value={subject.chosen}
              onValue={(chosen) => setSubject({ level: "point", chosen })}
            />
          </Suspense>
        )}
        <p>
          {data?.resource && subject.level !== "resource"
            ? `${resourceByKey[data.resource].title[language]}. `
            : ""}
          {t("rules.about")}
        </p>
      </div>
      {error ? (
        <ErrorState title={t("failed")} message={reasonOf(error)} onRetry={() => void query.refetch()} />
      ) : key === null ? (
        <OwnRules level={subject.level} rules={ownRules} onSubject={setSubject} />
      ) : data === undefined ? (
        <Skeleton height={420} />
      ) : (
        <ul className="rules-list">
          {data.kinds.map((kind) => (
            <RuleLine
              key={`${kind.kind} ${JSON.stringify(key)}`}
              kind={kind}
              subject={subject}
              holding={data.holding.find((each) => each.kind === kind.kind)}
              narrower={ownRules.filter((rule) => rule.kind === kind.kind && isNarrower(rule, subject))}
              onSubject={setSubject}
            />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

interface OwnProps {
  readonly level: Subject["level"];
  readonly rules: readonly ValidationRule[];
  readonly onSubject: (subject: Subject) => void;
}

/** Models or points that have own rules already, to choose from. */
function OwnRules({ level, rules, onSubject }: OwnProps) {
  const { t } = useTranslation("validation");
  const subjects = new Map(
    rules.flatMap((rule) => {
      const subject = subjectOfRule(rule);
      return subject?.level === level && subject.level !== "resource" && subject.chosen !== null
        ? [[subject.chosen.id, { subject, title: subject.chosen.title }] as const]
        : [];
    }),
  );
  return (
    <div className="rules-choose">
      <p>{t(level === "model" ? "rules.chooseModel" : "rules.choosePoint")}</p>
      {subjects.size === 0 ? null : (
        <p>
          {t("rules.have")}{" "}
          {[...subjects].map(([id, { subject, title }]) => (
            <Button key={id} kind="link" onClick={() => onSubject(subject)}>
              {title}
            </Button>
          ))}
        </p>
      )}
    </div>
  );
}
