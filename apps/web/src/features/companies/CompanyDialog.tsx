import { companies, type Company, type CompanyInTree } from "@metrum/contract/access";
import { useTranslation } from "react-i18next";
import { exchange, refetch, useCall } from "#lib/call";
import { useSession } from "#lib/session";
import { DateField } from "#ui/dateField";
import { SelectField, Switch, TextField } from "#ui/field";
import { FormDialog, useForm } from "#ui/form";
import { PhoneField } from "#ui/phoneField";
import { ZoneField } from "#ui/zone";
import { bodyOf, draftOf, type Draft } from "./draft.ts";
import { ModuleList } from "./ModuleList.tsx";

interface Props {
  /** The company to change; without it a company is created below `parent`. */
  readonly company: CompanyInTree | null;
  readonly parent: Pick<Company, "id" | "name" | "active_modules" | "timezone_name">;
  readonly now: number;
  readonly onClose: () => void;
}

/** Settings decided by the company above: names, zone, expiry, type, modules in their order. */
export function CompanyDialog({ company, parent, now, onClose }: Props) {
  const { t } = useTranslation("companies");
  const { access } = useSession();
  const types = useCall(companies.types, {}, { freshMs: 3_600_000 }).data?.company_types ?? [];
  const form = useForm({
    stored: draftOf(company, parent),
    required: ["name"],
    names: { expires_at: "until", active_modules: "modules" },
    words: (code) => (code === "required" ? t("form.nameNeeded") : undefined),
    send: (values, options) => {
      const body = bodyOf(values, access.is_platform, company);
      return company === null
        ? exchange(companies.create, { body: { ...body, parent_id: parent.id } }, options)
        : exchange(companies.editById, { params: { id: String(company.id) }, body }, options);
    },
    onSaved: async () => {
      await refetch(companies.list);
      onClose();
    },
  });
  const { values } = form;
  const modules = form.field("modules");
  return (
    <FormDialog
      form={form}
      title={company === null ? t("form.add", { name: parent.name }) : t("form.edit", { name: company.name })}
      size={618}
      action={company === null ? t("form.create") : t("form.save")}
      onClose={onClose}
      className="company-form"
    >
      <TextField
        label={t("form.name")}
        {...form.field("name")}
        maxLength={255}
        autoComplete="off"
        data-autofocus
      />
      <div className="company-pair">
        <SelectField
          label={t("form.type")}
          {...form.field("company_type_id")}
          options={types.map(({ id, title }) => ({ value: String(id), title }))}
        />
        <TextField label={t("form.inn")} {...form.field("inn")} maxLength={20} inputMode="numeric" />
        <PhoneField label={t("form.phone")} {...form.field("phone_number")} autoComplete="off" />
        <DateField label={t("form.until")} hint={t("form.untilHint")} {...form.field("until")} />
      </div>
      <ZoneField label={t("form.zone")} hint={t("form.zoneHint")} {...form.field("timezone_name")} at={now} />
      <Kinds draft={values} onDraft={form.set} isStaff={access.is_platform} />
      <ModuleList
        offered={parent.active_modules}
        isDealer={values.is_dealer}
        value={modules.value}
        onValue={modules.onValue}
        error={modules.error}
      />
    </FormDialog>
  );
}

interface KindsProps {
  readonly draft: Draft;
  readonly onDraft: (change: Partial<Draft>) => void;
  readonly isStaff: boolean;
}

function Kinds({ draft, onDraft, isStaff }: KindsProps) {
  const { t } = useTranslation("companies");
  const kinds = ["is_dealer", "only_api", ...(isStaff ? (["is_demo"] as const) : [])] as const;
  return (
    <fieldset className="company-kinds">
      <legend>{t("form.kind")}</legend>
      {kinds.map((kind) => (
        <Switch
          key={kind}
          checked={draft[kind]}
          onChange={(event) => onDraft({ [kind]: event.currentTarget.checked })}
        >
          {t(`form.${kind}`)}
        </Switch>
      ))}
    </fieldset>
  );
}
