import { adminBroker, companies, inbox, models, type InboxEntry } from "@metrum/contract";
import { useTranslation } from "react-i18next";
import { exchange, refetch, useCall } from "#lib/call";
import { SelectField, TextField } from "#ui/field";
import { FormDialog, useForm, type Bound } from "#ui/form";
import { behindModem, bodyOf, draftOf, isWhole, noSettings, ofDevice } from "./draft.ts";
import { MoreFields } from "./MoreFields.tsx";
import { isRefusal } from "./useRefused.ts";

const forever = { isQuiet: true, freshMs: Number.POSITIVE_INFINITY };
/** Remembered, as several callers in a row usually belong together. */
let lastCompany = "";

interface Props {
  readonly entry: InboxEntry;
  readonly onClose: () => void;
}

/** Company, model and name of an unknown caller; the rest is prefilled. */
export function AddDialog({ entry, onClose }: Props) {
  const { t } = useTranslation("admin");
  const isModem = entry.kind === "modem";
  const form = useForm({
    stored: draftOf(entry, lastCompany),
    names: isModem ? behindModem : ofDevice,
    send: (draft, options) => exchange(inbox.create, { body: bodyOf(entry, draft) }, options),
    onSaved: async () => {
      lastCompany = form.values.company;
      await refetch(inbox.list, adminBroker.connectedGateways);
      onClose();
    },
    onRefused: (error) => {
      if (isRefusal(error)) onClose();
    },
  });
  const { values } = form;
  return (
    <FormDialog
      form={form}
      title={t("inbox.title", { id: entry.identity })}
      size={500}
      action={t("inbox.create")}
      isDisabled={!isWhole(entry, values)}
      onClose={onClose}
      className="platform-form"
    >
      <CompanyField entry={entry} field={form.field("company")} />
      <TextField label={t("inbox.name")} {...form.field("name")} maxLength={255} isRequired />
      {isModem ? <GatewayField field={form.field("gateway")} /> : null}
      <MeterField
        way={entry.kind}
        field={{
          ...form.field("meter"),
          onValue: (meter) => form.set({ meter, ...noSettings }),
        }}
      />
      {isModem && values.meter !== "" ? (
        <>
          <TextField label={t("inbox.number")} {...form.field("number")} maxLength={255} isRequired />
          <TextField
            label={t("inbox.address")}
            {...form.field("address")}
            hint={entry.inside_addr === null ? t("inbox.addressHint") : t("inbox.answered")}
            maxLength={255}
          />
        </>
      ) : null}
      {values.meter === "" ? null : <MoreFields key={values.meter} modelId={values.meter} form={form} />}
    </FormDialog>
  );
}

interface FieldProps {
  readonly field: Bound<string>;
}

function CompanyField({ entry, field }: FieldProps & { readonly entry: InboxEntry }) {
  const { t } = useTranslation("admin");
  const { data } = useCall(companies.list, { body: { paginate: false } }, { isQuiet: true });
  if (entry.company_id !== null)
    return <p className="platform-of">{t("inbox.of", { company: entry.company_name ?? "" })}</p>;
  return (
    <SelectField
      label={t("inbox.company")}
      {...field}
      isRequired
      options={[
        { value: "", title: t("inbox.choose") },
        ...(data?.companies.data ?? []).map(({ id, name }) => ({ value: String(id), title: name })),
      ]}
    />
  );
}

function GatewayField({ field }: FieldProps) {
  const { t } = useTranslation("admin");
  const { data } = useCall(models.gateways, { body: {} }, forever);
  const brands = useCall(models.brands, { body: {} }, forever);
  const brandOf = (id: number) => brands.data?.brands.find((brand) => brand.id === id)?.title ?? "";
  const dialIn = (data?.gateways ?? []).filter(({ connection }) => connection === "dial_in");
  return (
    <SelectField
      label={t("inbox.gateway")}
      {...field}
      isRequired
      options={[
        { value: "", title: t("inbox.choose") },
        ...dialIn.map(({ id, title, brand_id }) => ({
          value: String(id),
          title: `${brandOf(brand_id)} ${title}`.trim(),
        })),
      ]}
    />
  );
}

function MeterField({ way, field }: FieldProps & { readonly way: InboxEntry["kind"] }) {
  const { t } = useTranslation("admin");
  const { data } = useCall(models.devices, { body: {} }, forever);
  const fitting = (data?.metering_devices ?? []).filter(
    ({ options }) => options.virtual_bridge.active === (way === "modem"),
  );
  return (
    <SelectField
      label={t(way === "modem" ? "inbox.meter" : "inbox.model")}
      {...field}
      options={[
        { value: "", title: t(way === "modem" ? "inbox.noMeter" : "inbox.choose") },
        ...fitting.map(({ id, brand, title }) => ({ value: String(id), title: `${brand} ${title}` })),
      ]}
    />
  );
}
