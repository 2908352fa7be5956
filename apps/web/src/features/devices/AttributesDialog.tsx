import { attributeBounds, attributes, type Attribute } from "@metrum/contract/metering";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { isPermitted } from "#carriers";
import { exchange, reasonOf, refetch, useCall } from "#lib/call";
import { Button, IconButton } from "#ui/button";
import { change } from "#ui/change";
import { Dialog } from "#ui/dialog";
import { TextField } from "#ui/field";
import { Form, useForm } from "#ui/form";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import "./form/deviceForm.css";

interface Props {
  readonly device: { readonly id: number; readonly name?: string | undefined };
  readonly mayChange: boolean;
  readonly onClose: () => void;
}

const refreshed = [attributes.ofDevice, attributes.catalogue];

/** Free properties of a device, each changed at once. */
export function AttributesDialog({ device, mayChange, onClose }: Props) {
  const { t } = useTranslation("deviceForm");
  const [edited, setEdited] = useState<Attribute | null>(null);
  const query = useCall(attributes.ofDevice, { body: { device_id: device.id } }, { isQuiet: true });
  const list = query.data?.attributes;
  const remove = async (name: string) => {
    if (!isPermitted(attributes.delete)) return;
    const run = () => exchange(attributes.delete, { body: { device_id: device.id, name } });
    if (await change(run, { refreshed })) setEdited(null);
  };
  return (
    <Dialog
      title={`${t("attributes.title")}: ${device.name ?? ""}`}
      size={500}
      onClose={onClose}
      closesOutside={false}
    >
      {query.isError && !list ? (
        <ErrorState
          title={t("failed")}
          message={reasonOf(query.error)}
          onRetry={() => void query.refetch()}
        />
      ) : list ? (
        <AttributeList
          list={list}
          onEdit={mayChange ? setEdited : undefined}
          onRemove={(name) => void remove(name)}
        />
      ) : (
        <Skeleton height={120} />
      )}
      {mayChange && list ? (
        <AttributeForm
          key={edited?.name ?? ""}
          deviceId={device.id}
          edited={edited}
          onDone={() => setEdited(null)}
        />
      ) : null}
    </Dialog>
  );
}

interface ListProps {
  readonly list: readonly Attribute[];
  readonly onEdit: ((attribute: Attribute) => void) | undefined;
  readonly onRemove: (name: string) => void;
}

function AttributeList({ list, onEdit, onRemove }: ListProps) {
  const { t } = useTranslation("deviceForm");
  if (list.length === 0) return <p role="status">{t("attributes.none")}</p>;
  return (
    <ul className="attribute-list" aria-label={t("attributes.title")}>
      {list.map((each) => (
        <li key={each.name}>
          <span>{each.name}</span>
          <b>{each.value === "" ? "—" : each.value}</b>
          {onEdit ? (
            <span>
              <IconButton
                icon="edit"
                size="small"
                label={t("attributes.edit", { name: each.name })}
                onClick={() => onEdit(each)}
              />
              <IconButton
                icon="trash"
                size="small"
                label={t("attributes.remove", { name: each.name })}
                onClick={() => onRemove(each.name)}
              />
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

interface FormProps {
  readonly deviceId: number;
  /** The attribute to change; without it one is added. */
  readonly edited: Attribute | null;
  readonly onDone: () => void;
}

function AttributeForm({ deviceId, edited, onDone }: FormProps) {
  const { t } = useTranslation("deviceForm");
  const names = useId();
  const catalogue =
    useCall(attributes.catalogue, {}, { isQuiet: true, freshMs: 60_000 }).data?.attributes ?? [];
  const form = useForm({
    stored: { name: edited?.name ?? "", value: edited?.value ?? "" },
    required: ["name"],
    words: (code) => (code === "required" ? t("needed") : undefined),
    send: async ({ name, value }, options) => {
      const call = edited ? attributes.update : attributes.add;
      if (!isPermitted(call)) return undefined;
      return exchange(call, { body: { device_id: deviceId, name, value } }, options);
    },
    onSaved: async () => {
      onDone();
      await refetch(...refreshed);
    },
  });
  return (
    <Form form={form} className="attribute-form">
      <TextField
        label={t("attributes.name")}
        {...form.field("name")}
        maxLength={attributeBounds.name}
        readOnly={edited !== null}
        list={names}
        autoComplete="off"
      />
      <datalist id={names}>
        {catalogue.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <TextField
        label={t("attributes.value")}
        {...form.field("value")}
        maxLength={attributeBounds.value}
        autoComplete="off"
      />
      <span>
        {edited ? <Button onClick={onDone}>{t("attributes.cancel")}</Button> : null}
        <Button type="submit" kind="primary" isBusy={form.isBusy} disabled={!form.isDirty}>
          {t(edited ? "save" : "attributes.add")}
        </Button>
      </span>
    </Form>
  );
}
