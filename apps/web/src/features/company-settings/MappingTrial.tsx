import { mappings, type MappingDefinition, type ReplyOf } from "@metrum/contract";
import { useState, type SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import { exchange } from "#lib/call";
import { Button } from "#ui/button";
import { FactLines } from "#ui/facts";
import { TextField } from "#ui/field";
import { SettingsSection } from "#ui/settings";
import { Status } from "#ui/status";

type Outcome = ReplyOf<typeof mappings.test>;

/** What the definition makes of a message; nothing is stored. */
export function MappingTrial({ definition }: { readonly definition: MappingDefinition }) {
  const { t } = useTranslation("companySettings");
  const [topic, setTopic] = useState("");
  const [payload, setPayload] = useState("");
  const [outcome, setOutcome] = useState<Outcome>();
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = { definition, topic, payload };
    // A refusal is told by the call itself.
    setOutcome((await exchange(mappings.test, { body }).catch(() => undefined))?.data);
  };
  return (
    <SettingsSection title={t("mqtt.try")} text={t("mqtt.tryText")}>
      <form className="mqtt-trial" onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          label={t("mqtt.tryTopic")}
          hint={definition.topic}
          value={topic}
          onChange={({ currentTarget: { value } }) => setTopic(value)}
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          label={t("mqtt.tryPayload")}
          value={payload}
          onChange={({ currentTarget: { value } }) => setPayload(value)}
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit">{t("mqtt.tryIt")}</Button>
      </form>
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
