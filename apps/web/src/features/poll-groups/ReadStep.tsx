import { isMessageType, messageTypes, type Language } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { Checkbox, NumberField } from "#ui/field";
import type { FormState } from "#ui/form";
import { Skeleton } from "#ui/skeleton";
import type { GroupValues } from "./groupForm.ts";
import { Step } from "./Step.tsx";
import type { Archive } from "./useArchives.ts";

export const archiveTitle = (type: number, language: Language): string =>
  isMessageType(type) ? messageTypes[type].title[language] : String(type);

interface Props {
  readonly form: FormState<GroupValues>;
  /** Archives of the model; undefined: not known yet. */
  readonly kept: readonly Archive[] | undefined;
}

/** What is read: current values, archives, and how far back their holes are filled. */
export function ReadStep({ form, kept }: Props) {
  const { t } = useTranslation("pollGroups");
  const { now_value, fills } = form.values;
  const { error } = form.field("now_value");
  const hasArchives = kept !== undefined && kept.length > 0;
  return (
    <Step at={2} title={t("step.read")}>
      <div className="group-ticks">
        <Checkbox
          name="now_value"
          checked={now_value}
          aria-invalid={error === undefined ? undefined : true}
          onChange={() => form.set({ now_value: !now_value })}
        >
          {t("form.nowValue")}
        </Checkbox>
        {kept === undefined ? <Skeleton height={60} /> : <Archives form={form} kept={kept} />}
        {error === undefined ? null : (
          <p className="field-error" role="alert">
            {error}
          </p>
        )}
      </div>
      {hasArchives ? (
        <>
          <Checkbox name="fills" checked={fills} onChange={() => form.set({ fills: !fills })}>
            {t("form.fills")}
          </Checkbox>
          {fills ? (
            <div className="group-pair">
              <NumberField
                label={t("form.depth")}
                hint={t("form.depthHint")}
                {...form.field("depth_days")}
                min={1}
                max={36_500}
                decimals={0}
                unit={t("form.days")}
              />
            </div>
          ) : null}
        </>
      ) : null}
    </Step>
  );
}

function Archives({ form, kept }: Props & { readonly kept: readonly Archive[] }) {
  const { t } = useTranslation("pollGroups");
  const { language, age } = useFormat();
  const types = kept.map(({ msg_type }) => msg_type);
  const read = form.values.archives ?? types;
  const toggle = (type: number) => {
    const next = types.filter((each) => (each === type ? !read.includes(each) : read.includes(each)));
    form.set({ archives: next.length === types.length ? null : next });
  };
  if (kept.length === 0) return <p className="group-none">{t("form.noArchives")}</p>;
  return kept.map(({ msg_type, depth_days }) => (
    <Checkbox key={msg_type} checked={read.includes(msg_type)} onChange={() => toggle(msg_type)}>
      {archiveTitle(msg_type, language)} <small>{t("form.reach", { depth: age(depth_days * 86_400) })}</small>
    </Checkbox>
  ));
}
