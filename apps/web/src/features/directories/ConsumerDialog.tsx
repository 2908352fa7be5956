import {
  consumers,
  partyBounds,
  subjectOrganisation,
  subjectPerson,
  subjectTypes,
  type Consumer,
} from "@metrum/contract/access";
import { emailPattern, isInn, isPhone } from "@metrum/contract/core";
import { useTranslation } from "react-i18next";
import { exchange, refetch } from "#lib/call";
import { useFormat } from "#lib/format";
import { DateField } from "#ui/dateField";
import { Checkbox, Segmented, TextField } from "#ui/field";
import { FormDialog, useForm, type FormState } from "#ui/form";
import { PhoneField } from "#ui/phoneField";
import { changedFrom } from "./changed.ts";
import { refreshed } from "./directories.ts";

interface Props {
  /** The consumer to change; null adds one. */
  readonly consumer: Consumer | null;
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
}

/** Adds or changes a consumer. Another type hides and clears the fields of the former one. */
export function ConsumerDialog({ consumer, onClose, onSaved }: Props) {
  const { t } = useTranslation("directories");
  const stored = valuesOf(consumer);
  const form = useForm({
    stored,
    required: ["name"],
    check: ({ inn, email, phone_number }) => ({
      inn: isInn(inn.trim()) ? undefined : "inn",
      email: email.trim() === "" || emailPattern.test(email.trim()) ? undefined : "email",
      phone_number: isPhone(phone_number.trim()) ? undefined : "phone",
    }),
    words: (code) => (code === "required" ? undefined : faultWords(code, t)),
    send: (values, options) =>
      consumer
        ? exchange(
            consumers.update,
            { body: { _id: consumer._id, ...changedFrom(bodyOf(stored), bodyOf(values)) } },
            options,
          )
        : exchange(consumers.create, { body: bodyOf(values) }, options),
    onSaved: async (reply) => {
      onClose();
      await refetch(...refreshed.consumers);
      onSaved(reply.consumer._id);
    },
  });
  return (
    <FormDialog
      form={form}
      title={consumer ? t("form.edit", { name: consumer.name }) : t("form.add.consumers")}
      size={500}
      action={t(consumer ? "form.save" : "form.create")}
      onClose={onClose}
    >
      <TypeField form={form} />
      <TextField
        label={t("field.name")}
        {...form.field("name")}
        maxLength={255}
        autoComplete="off"
        data-autofocus
      />
      <div className="directories-fields">
        <TextField
          label={t("field.inn")}
          {...form.field("inn")}
          maxLength={12}
          inputMode="numeric"
          autoComplete="off"
        />
        <TextField
          label={t("field.number_of_contract")}
          {...form.field("number_of_contract")}
          maxLength={255}
          autoComplete="off"
        />
        {form.values.subject_type_id === subjectOrganisation ? (
          <>
            <TextField
              label={t("field.registration_number")}
              {...form.field("registration_number")}
              maxLength={255}
              autoComplete="off"
            />
            <DateField label={t("field.registration_date")} {...form.field("registration_date")} />
          </>
        ) : (
          <>
            <PhoneField label={t("field.phone_number")} {...form.field("phone_number")} autoComplete="off" />
            <TextField
              label={t("field.email")}
              {...form.field("email")}
              type="email"
              maxLength={255}
              autoComplete="off"
            />
          </>
        )}
      </div>
      <TextField
        label={t("field.address")}
        {...form.field("address")}
        maxLength={partyBounds.address}
        autoComplete="off"
      />
      <TextField
        label={t("field.measurement_code_object")}
        {...form.field("measurement_code_object")}
        maxLength={255}
        autoComplete="off"
      />
      <TextField
        label={t("field.comment")}
        {...form.field("comment")}
        maxLength={partyBounds.comment}
        autoComplete="off"
      />
      <AccessField form={form} />
    </FormDialog>
  );
}

type Values = typeof none;

const noneOf = {
  [subjectPerson]: { registration_number: "", registration_date: "" },
  [subjectOrganisation]: { phone_number: "", email: "" },
};

function TypeField({ form }: { readonly form: FormState<Values> }) {
  const { t } = useTranslation("directories");
  const { language } = useFormat();
  return (
    <div>
      <Segmented
        name="subject_type_id"
        label={t("field.subject_type_id")}
        value={String(form.values.subject_type_id)}
        options={subjectTypes.map(({ id, title }) => ({ value: String(id), title: title[language] }))}
        onValue={(value) => {
          const id = subjectTypes.find((each) => String(each.id) === value)?.id ?? subjectPerson;
          form.set({ subject_type_id: id, ...noneOf[id] });
        }}
      />
    </div>
  );
}

function AccessField({ form }: { readonly form: FormState<Values> }) {
  const { t } = useTranslation("directories");
  const { name, value, onValue } = form.field("account_access_enabled");
  return (
    <div>
      <Checkbox name={name} checked={value} onChange={({ currentTarget }) => onValue(currentTarget.checked)}>
        {t("field.account_access_enabled")}
      </Checkbox>
      <p className="directories-hint">{t("form.accessHint")}</p>
    </div>
  );
}

const faultWords = (code: string, t: (key: string) => string): string | undefined =>
  ["inn", "email", "phone"].includes(code) ? t(`fault.${code}`) : undefined;

const none = {
  subject_type_id: subjectOrganisation as number,
  name: "",
  inn: "",
  number_of_contract: "",
  address: "",
  comment: "",
  measurement_code_object: "",
  registration_number: "",
  registration_date: "",
  phone_number: "",
  email: "",
  account_access_enabled: false,
};

function valuesOf(consumer: Consumer | null): typeof none {
  if (!consumer) return none;
  const { _id: _, point_count: __, created_at: ___, erased_at: ____, ...fields } = consumer;
  return {
    ...fields,
    registration_number: fields.registration_number ?? "",
    registration_date: fields.registration_date ?? "",
    phone_number: fields.phone_number ?? "",
    email: fields.email ?? "",
  };
}

/** Only the fields of the type. */
function bodyOf({ registration_number, registration_date, phone_number, email, ...values }: Values) {
  return values.subject_type_id === subjectOrganisation
    ? { ...values, registration_number, registration_date: registration_date || null }
    : { ...values, phone_number, email };
}
