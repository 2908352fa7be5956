import { companies, type Company, type CompanyInTree } from "@metrum/contract";
import { useState, type SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, exchange, useCall } from "#lib/call";
import { useSession } from "#lib/session";
import { Button } from "#ui/button";
import { DateField } from "#ui/dateField";
import { Dialog } from "#ui/dialog";
import { SelectField, Switch, TextField } from "#ui/field";
import { ZoneField } from "#ui/zone";
import { changed } from "./actions.ts";
import { bodyOf, draftOf, type Draft } from "./draft.ts";
import { ModuleList } from "./ModuleList.tsx";

interface Props {
  /** The company to change; without one a company is made below `parent`. */
  readonly company: CompanyInTree | null;
  readonly parent: Pick<Company, "id" | "name" | "active_modules" | "timezone_name">;
  readonly now: number;
  readonly onClose: () => void;
}

/** Everything the company above decides: names, zone, end, kind, modules in their order. */
export function CompanyDialog({ company, parent, now, onClose }: Props) {
  const { t } = useTranslation(["companies", "common"]);
  const { access } = useSession();
  const types = useCall(companies.types, {}, { freshMs: 3_600_000 }).data?.company_types ?? [];
  const [draft, setDraft] = useState(() => draftOf(company, parent));
  const [errors, setErrors] = useState<Readonly<Record<string, readonly string[]>>>({});
  const [isBusy, setBusy] = useState(false);
  const set = <Key extends keyof Draft>(key: Key, value: Draft[Key]) =>
    setDraft((old) => ({ ...old, [key]: value }));
  const save = async () => {
    setBusy(true);
    setErrors({});
    const body = bodyOf(draft, access.is_platform);
    const isDone = await changed(() =>
      (company === null
        ? exchange(companies.create, { body: { ...body, parent_id: parent.id } })
        : exchange(companies.editById, { params: { id: String(company.id) }, body })
      ).catch((error: unknown) => {
        if (error instanceof ApiError) setErrors(error.attributes);
        throw error;
      }),
    );
    setBusy(false);
    if (isDone) onClose();
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (draft.name.trim() === "") setErrors({ name: [t("form.nameNeeded")] });
    // A day that is none has said so below its field.
    else if (!event.currentTarget.checkValidity())
      event.currentTarget.querySelector<HTMLElement>("input:invalid")?.focus();
    else if (!isBusy) void save();
  };
  const error = (field: string) => (errors[field] ? errors[field].join(". ") : undefined);
  return (
    <Dialog
      title={company === null ? t("form.add", { name: parent.name }) : t("form.edit", { name: company.name })}
      size={618}
      onClose={onClose}
      closesOutside={false}
      isForm
      isBusy={isBusy}
    >
      <form className="dialog-form company-form" onSubmit={submit} noValidate>
        <TextField
          label={t("form.name")}
          isRequired
          error={error("name")}
          value={draft.name}
          onChange={(event) => set("name", event.currentTarget.value)}
          maxLength={255}
          autoComplete="off"
          data-autofocus
        />
        <div className="company-pair">
          <SelectField
            label={t("form.type")}
            value={String(draft.company_type_id)}
            onChange={(event) => set("company_type_id", Number(event.currentTarget.value))}
            options={types.map(({ id, title }) => ({ value: String(id), title }))}
          />
          <TextField
            label={t("form.inn")}
            error={error("inn")}
            value={draft.inn}
            onChange={(event) => set("inn", event.currentTarget.value)}
            maxLength={20}
            inputMode="numeric"
          />
          <TextField
            label={t("form.phone")}
            error={error("phone_number")}
            value={draft.phone_number}
            onChange={(event) => set("phone_number", event.currentTarget.value)}
            maxLength={20}
            type="tel"
          />
          <DateField
            label={t("form.until")}
            hint={t("form.untilHint")}
            error={error("expires_at")}
            value={draft.until}
            onValue={(day) => set("until", day)}
          />
        </div>
        <ZoneField
          label={t("form.zone")}
          hint={t("form.zoneHint")}
          error={error("timezone_name")}
          value={draft.timezone_name}
          onValue={(zone) => set("timezone_name", zone)}
          at={now}
        />
        <Kinds draft={draft} set={set} isStaff={access.is_platform} />
        <ModuleList
          offered={parent.active_modules}
          isDealer={draft.is_dealer}
          value={draft.modules}
          onValue={(modules) => set("modules", modules)}
          error={error("active_modules")}
        />
        <div className="dialog-foot">
          <Button onClick={onClose} disabled={isBusy}>
            {t("common:cancel")}
          </Button>
          <Button type="submit" kind="primary" isBusy={isBusy}>
            {company === null ? t("form.create") : t("form.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface KindsProps {
  readonly draft: Draft;
  readonly set: <Key extends keyof Draft>(key: Key, value: Draft[Key]) => void;
  readonly isStaff: boolean;
}

function Kinds({ draft, set, isStaff }: KindsProps) {
  const { t } = useTranslation("companies");
  const kinds = ["is_dealer", "only_api", ...(isStaff ? (["is_demo"] as const) : [])] as const;
  return (
    <fieldset className="company-kinds">
      <legend>{t("form.kind")}</legend>
      {kinds.map((kind) => (
        <Switch key={kind} checked={draft[kind]} onChange={(event) => set(kind, event.currentTarget.checked)}>
          {t(`form.${kind}`)}
        </Switch>
      ))}
    </fieldset>
  );
}
