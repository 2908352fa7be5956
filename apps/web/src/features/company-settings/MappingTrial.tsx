import type { ReplyOf } from "@metrum/contract/core";
import { mappings, type MappingDefinition } from "@metrum/contract/headend";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange } from "#lib/call";
import { Button } from "#ui/button";
import { FactLines } from "#ui/facts";
import { TextField } from "#ui/field";
import { Form, useForm } from "#ui/form";
import { SettingsSection } from "#ui/settings";
import { Status } from "#ui/status";

type Outcome = ReplyOf<typeof mappings.test>;

/** Applies the definition to a message; nothing is stored. */
export function MappingTrial({ definition }: { readonly definition: MappingDefinition }) {
  const { t } = useTranslation("companySettings");
  const [outcome, setOutcome] = useState<Outcome>();
  const form = useForm({
    stored: { topic: "", payload: "" },
    send: (values, options) => exchange(mappings.test, { body: { definition, ...values } }, options),
    onSaved: setOutcome,
    onRefused: () => setOutcome(undefined),
    keepsDraft: true,
  });
  return (
    <SettingsSection title={t("mqtt.try")} text={t("mqtt.tryText")}>
      <Form form={form} className="mqtt-trial">
        <TextField
          label={t("mqtt.tryTopic")}
          hint={definition.topic}
          {...form.field("topic")}
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          label={t("mqtt.tryPayload")}
          {...form.field("payload")}
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit">{t("mqtt.tryIt")}</Button>
      </Form>
      <output>{outcome ? <Read outcome={outcome} /> : null}</output>
    </SettingsSection>
  );
}

function Read({ outcome }: { readonly outcome: Outcome }) {
  const { t } = useTranslation("companySettings");
  const { device, values, error, detail } = outcome;
  if (error !== null)
    return (
      <>
        <Status kind="alarm">{t(`mqtt.fault.${error}`)}</Status>
        {detail === "" ? null : <small lang="en">{detail}</small>}
      </>
    );
  const facts = Object.entries(values).map(([name, value]) => ({ name, title: name, value: String(value) }));
  return (
    <>
      <Status kind="ok">{t("mqtt.read", { device: device ?? "—" })}</Status>
      <FactLines facts={facts} />
    </>
  );
}
