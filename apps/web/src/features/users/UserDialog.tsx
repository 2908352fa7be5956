import {
  accessGroups,
  Email,
  holdsAll,
  members,
  users,
  type ListedGroup,
  type Member,
} from "@metrum/contract";
import { useState, type SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod/mini";
import { ApiError, exchange, refetch } from "#lib/call";
import { languageNames, languageOf, languages } from "#lib/i18n";
import { rightsOf, useSession } from "#lib/session";
import { Button } from "#ui/button";
import { Dialog } from "#ui/dialog";
import { SelectField, TextField } from "#ui/field";
import { useSchemaForm } from "#ui/form";
import { snack } from "#ui/snackbar";
import { zoneChoices } from "#ui/zone";

interface Props {
  /** The user to change; null invites a new one. */
  readonly member: Member | null;
  readonly groups: readonly ListedGroup[];
  readonly onClose: () => void;
}

/** The choice that makes an administrator, who has no group. */
const admin = "admin";
/** What is typed. Rights are one choice: an administrator, one of the groups, or none yet. */
const Form = z.object({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(255)),
  email: z.string().check(z.refine((text) => z.safeParse(Email, text).success)),
  phone_number: z.string().check(z.trim(), z.maxLength(20)),
  rights: z.string(),
  language: z.string(),
  timezone_name: z.string(),
});
type Values = z.infer<typeof Form>;

/** Invites a user or changes one. Refusals of the server stand at their field, and everything typed stays. */
export function UserDialog({ member, groups, onClose }: Props) {
  const { t } = useTranslation(["users", "common"]);
  const { access, user, zone } = useSession();
  const [isSaving, setSaving] = useState(false);
  const form = useSchemaForm<Values>(Form, valuesOf(member, user.language));
  const { errors } = form.formState;
  const own = rightsOf(access);
  const [zones] = useState(() => zoneChoices(member?.timezone_name ?? zone, Math.floor(Date.now() / 1000)));
  const options = [
    ...(own.is_admin ? [{ value: admin, title: t("administrator") }] : []),
    ...groups
      .filter((each) => each.id === member?.access_group_id || holdsAll(own, each.access_rules))
      .map((each) => ({ value: String(each.id), title: each.name })),
  ];
  const save = async (values: Values) => {
    setSaving(true);
    try {
      const { msg } = await store(member, values);
      snack(msg);
      onClose();
      await refetch(users.list, accessGroups.list);
    } catch (error) {
      setSaving(false);
      if (error instanceof ApiError) showAt(form, error);
    }
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void form.handleSubmit(save)(event);
  };
  const wrong = (field: keyof Values) => {
    const fault = errors[field];
    if (!fault) return undefined;
    return fault.type === "server" ? fault.message : t(`fault.${field === "email" ? "email" : "required"}`);
  };
  return (
    <Dialog
      title={member ? t("edit.title", { name: member.name }) : t("invite.title")}
      size={450}
      onClose={onClose}
      closesOutside={false}
      isForm
      isBusy={isSaving}
    >
      <form
        className="dialog-form user-form"
        noValidate
        onSubmit={submit}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void form.handleSubmit(save)();
        }}
      >
        <TextField
          label={t("field.name")}
          isRequired
          autoComplete="off"
          data-autofocus
          error={wrong("name")}
          {...form.register("name")}
        />
        <TextField
          label={t("field.email")}
          isRequired
          type="email"
          inputMode="email"
          autoComplete="off"
          hint={member ? undefined : t("invite.emailHint")}
          error={wrong("email")}
          {...form.register("email")}
        />
        <TextField
          label={t("field.phone")}
          type="tel"
          autoComplete="off"
          error={wrong("phone_number")}
          {...form.register("phone_number")}
        />
        <SelectField
          label={t("field.rights")}
          placeholder={t("noGroup")}
          options={options}
          hint={t("field.rightsHint")}
          error={wrong("rights")}
          {...form.register("rights")}
        />
        <div className="user-pair">
          <SelectField
            label={member ? t("field.language") : t("field.letterLanguage")}
            options={languages.map((each) => ({ value: each, title: languageNames[each] }))}
            {...form.register("language")}
          />
          <SelectField
            label={t("field.zone")}
            placeholder={t("field.companyZone")}
            options={zones}
            error={wrong("timezone_name")}
            {...form.register("timezone_name")}
          />
        </div>
        <div className="dialog-foot">
          <Button onClick={onClose} disabled={isSaving}>
            {t("common:cancel")}
          </Button>
          <Button type="submit" kind="primary" isBusy={isSaving}>
            {member ? t("edit.save") : t("invite.send")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function valuesOf(member: Member | null, language: string): Values {
  return {
    name: member?.name ?? "",
    email: member?.email ?? "",
    phone_number: member?.phone_number ?? "",
    rights: member?.is_admin ? admin : String(member?.access_group_id ?? ""),
    language: member?.language ?? language,
    timezone_name: member?.timezone_name ?? "",
  };
}

async function store(member: Member | null, values: Values) {
  const { rights, language, phone_number, timezone_name, ...rest } = values;
  const body = {
    ...rest,
    language: languageOf(language),
    phone_number: phone_number === "" ? null : phone_number,
    timezone_name: timezone_name === "" ? null : timezone_name,
    is_admin: rights === admin,
    access_group_id: rights === admin || rights === "" ? null : Number(rights),
  };
  const isQuiet = (error: ApiError) => fieldOf(error) !== null;
  if (member)
    return exchange(
      members.update,
      { body: { ...body, id: member.id, version: member.version } },
      { isQuiet },
    );
  return exchange(members.create, { body }, { isQuiet });
}

const fieldNames: Readonly<Record<string, keyof Values>> = {
  name: "name",
  email: "email",
  phone_number: "phone_number",
  timezone_name: "timezone_name",
  access_group_id: "rights",
  is_admin: "rights",
};

/** The field a refusal is about; null when it is about the whole. */
function fieldOf({ attributes }: ApiError): keyof Values | null {
  const [name] = Object.keys(attributes);
  return name === undefined ? null : (fieldNames[name] ?? null);
}

function showAt(form: ReturnType<typeof useSchemaForm<Values>>, error: ApiError): void {
  const field = fieldOf(error);
  if (field)
    form.setError(field, { type: "server", message: error.msg ?? error.code }, { shouldFocus: true });
}
