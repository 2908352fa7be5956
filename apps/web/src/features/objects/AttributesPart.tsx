import { objectTies, type TreeObject } from "@metrum/contract/accounting";
import { attributeBounds } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { exchange, reasonOf, refetch, useCall } from "#lib/call";
import { useAllowed } from "#lib/session";
import { Button, IconButton } from "#ui/button";
import { change } from "#ui/change";
import { TextField } from "#ui/field";
import { Form, useForm } from "#ui/form";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { isPermitted } from "./permitted.ts";

const refreshed = [objectTies.attributes];

/** Free properties of a node. Setting a name that exists changes its value. */
export function AttributesPart({ node }: { readonly node: TreeObject }) {
  const { t } = useTranslation("objects");
  const mayChange = useAllowed("6:update|6:access_all");
  const query = useCall(objectTies.attributes, { body: { object_id: node._id } }, { isQuiet: true });
  const list = query.data?.attributes;
  const remove = async (name: string) => {
    if (!isPermitted(objectTies.setAttribute)) return;
    const body = { object_id: node._id, name, value: null };
    await change(() => exchange(objectTies.setAttribute, { body }), { refreshed });
  };
  return (
    <section className="objects-placed">
      {mayChange ? <AttributeForm id={node._id} key={list?.length ?? 0} /> : null}
      {query.error && !list ? (
        <ErrorState
          title={t("failed")}
          message={reasonOf(query.error)}
          onRetry={() => void query.refetch()}
        />
      ) : !list ? (
        <Skeleton height={120} />
      ) : list.length === 0 ? (
        <EmptyState title={t("attributes.none")} />
      ) : (
        <ul aria-label={t("tab.attributes")}>
          {list.map(({ name, value }) => (
            <li key={name}>
              <span>{name}</span>
              <b>{value === "" ? "—" : value}</b>
              {mayChange ? (
                <IconButton
                  icon="trash"
                  size="small"
                  label={t("attributes.remove", { name })}
                  onClick={() => void remove(name)}
                />
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function AttributeForm({ id }: { readonly id: string }) {
  const { t } = useTranslation("objects");
  const form = useForm({
    stored: { name: "", value: "" },
    required: ["name"],
    send: async (values, options) =>
      isPermitted(objectTies.setAttribute)
        ? exchange(objectTies.setAttribute, { body: { object_id: id, ...values } }, options)
        : undefined,
    onSaved: () => refetch(...refreshed),
  });
  return (
    <Form form={form} className="objects-attribute">
      <TextField
        label={t("attributes.name")}
        {...form.field("name")}
        maxLength={attributeBounds.name}
        autoComplete="off"
      />
      <TextField
        label={t("attributes.value")}
        {...form.field("value")}
        maxLength={attributeBounds.value}
        autoComplete="off"
      />
      <Button type="submit" isBusy={form.isBusy} disabled={!form.isDirty}>
        {t("attributes.set")}
      </Button>
    </Form>
  );
}
