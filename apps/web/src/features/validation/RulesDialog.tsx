import { validation, type ValidationRule, type ValidationRuleKind } from "@metrum/contract";
import { resources } from "@metrum/vocabulary";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange, reasonOf, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { useAllowed } from "#lib/session";
import { Button } from "#ui/button";
import { change } from "#ui/change";
import { Dialog } from "#ui/dialog";
import { NumberField, SelectField, Switch } from "#ui/field";
import { ErrorState } from "#ui/states";

const judged = resources.filter(({ mainField }) => mainField !== null);
type Resource = (typeof judged)[number]["key"];

/** Rules by resource: on or off, their parameters, and back to the default. */
export function RulesDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation("validation");
  const { language } = useFormat();
  const [resource, setResource] = useState<Resource>("electricity");
  const { data, error, refetch } = useCall(validation.rules, { body: {} }, { isQuiet: true });
  return (
    <Dialog title={t("rules.title")} size={950} onClose={onClose} closesOutside={false}>
      <div className="rules-head">
        <SelectField
          label={t("rules.resource")}
          value={resource}
          onValue={setResource}
          options={judged.map(({ key, title }) => ({ value: key, title: title[language] }))}
        />
        <p>{t("rules.about")}</p>
      </div>
      {error ? (
        <ErrorState title={t("failed")} message={reasonOf(error)} onRetry={() => void refetch()} />
      ) : null}
      <ul className="rules-list" aria-busy={data === undefined}>
        {(data?.kinds ?? []).map((kind) => (
          <RuleLine
            key={`${kind.kind} ${resource}`}
            kind={kind}
            resource={resource}
            own={data?.rules.find((rule) => rule.kind === kind.kind && rule.resource === resource)}
            narrower={(data?.rules ?? []).filter(
              (rule) => rule.kind === kind.kind && (rule.model_id !== null || rule.point_id !== null),
            )}
          />
        ))}
      </ul>
    </Dialog>
  );
}

interface LineProps {
  readonly kind: ValidationRuleKind;
  readonly resource: Resource;
  readonly own: ValidationRule | undefined;
  /** Own rules of models and points, which hold before this one. */
  readonly narrower: readonly ValidationRule[];
}

const refreshed = [validation.rules, validation.list, validation.summary];

function RuleLine({ kind, resource, own, narrower }: LineProps) {
  const { t } = useTranslation("validation");
  const mayChange = useAllowed("6:update|6:access_all");
  const [draft, setDraft] = useState<Readonly<Record<string, number>>>({});
  const [isBusy, setBusy] = useState(false);
  const isOn = own?.is_on ?? kind.is_on[resource] ?? false;
  const valueOf = (name: string, usual: number): number => draft[name] ?? own?.parameters[name] ?? usual;
  const isDirty = Object.keys(draft).length > 0;
  const run = async (send: () => Promise<{ readonly msg: string }>) => {
    setBusy(true);
    if (await change(send, { refreshed })) setDraft({});
    setBusy(false);
  };
  const save = (on: boolean) =>
    run(() =>
      exchange(validation.saveRule, {
        body: { kind: kind.kind, resource, is_on: on, parameters: { ...own?.parameters, ...draft } },
      }),
    );
  const reset = () => run(() => exchange(validation.resetRule, { body: { kind: kind.kind, resource } }));
  return (
    <li>
      <div className="rules-name">
        <Switch checked={isOn} disabled={!mayChange || isBusy} onChange={() => void save(!isOn)}>
          {kind.title}
        </Switch>
        <p>{kind.about}</p>
        {narrower.length > 0 ? (
          <p>
            {t("rules.narrower", {
              names: narrower.map((each) => each.point_name ?? each.model_title ?? "").join(", "),
            })}
          </p>
        ) : null}
      </div>
      <div className="rules-numbers">
        {kind.parameters.map(({ name, title, unit, min, max, usual }) => (
          <NumberField
            key={name}
            label={title}
            value={valueOf(name, usual[resource] ?? usual["other"] ?? min)}
            onValue={(value) => value !== null && setDraft({ ...draft, [name]: value })}
            min={min}
            max={max}
            decimals={3}
            unit={unit === "amount" || unit === "count" ? undefined : t(`unit.${unit}`)}
            disabled={!mayChange || !isOn || isBusy}
          />
        ))}
      </div>
      <div className="rules-actions">
        {isDirty ? (
          <Button kind="primary" disabled={isBusy} onClick={() => void save(isOn)}>
            {t("rules.save")}
          </Button>
        ) : null}
        {own && mayChange ? (
          <Button kind="link" disabled={isBusy} onClick={() => void reset()}>
            {t("rules.reset")}
          </Button>
        ) : null}
      </div>
    </li>
  );
}
