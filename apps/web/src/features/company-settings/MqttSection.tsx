import { MappingDefinition, mappings, type MqttMapping } from "@metrum/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange, reasonOf, refetch, useCall } from "#lib/call";
import { Button, IconButton } from "#ui/button";
import { confirm } from "#ui/dialog";
import { Field, Switch, TextField } from "#ui/field";
import { SettingsRow, SettingsSection } from "#ui/settings";
import { Skeleton } from "#ui/skeleton";
import { snack } from "#ui/snackbar";
import { EmptyState, ErrorState } from "#ui/states";
import { MqttAccountSection } from "./MqttAccountSection.tsx";

const example: MappingDefinition = {
  topic: "sensors/{device}/state",
  time: { path: "time", format: "seconds" },
  values: [{ path: "data.temperature", field: "temperature", factor: 1 }],
};
const written = (definition: MappingDefinition): string => JSON.stringify(definition, null, 2);

/** What the messages of the company's own MQTT publishers mean. */
export function MqttSection() {
  const { t } = useTranslation(["companySettings", "common"]);
  const query = useCall(mappings.list, {}, { isQuiet: true });
  const [edited, setEdited] = useState<MqttMapping | null>(null);
  const title = t("section.mqtt");
  if (query.isError)
    return (
      <SettingsSection title={title}>
        <ErrorState
          title={t("mqtt.failed")}
          message={reasonOf(query.error, t("common:error.offline")) ?? null}
          onRetry={() => void query.refetch()}
        />
      </SettingsSection>
    );
  if (!query.data)
    return (
      <SettingsSection title={title}>
        <Skeleton height={120} />
      </SettingsSection>
    );
  const { prefix, mappings: rows } = query.data;
  return (
    <>
      <MqttAccountSection />
      <SettingsSection title={title} text={t("mqtt.prefix", { prefix })}>
        {rows.length === 0 ? <EmptyState title={t("mqtt.empty")} /> : null}
        {rows.map((row) => (
          <MappingLine key={row.id} row={row} onEdit={() => setEdited(row)} />
        ))}
      </SettingsSection>
      <MappingForm key={edited?.id ?? 0} edited={edited} onSaved={() => setEdited(null)} />
    </>
  );
}

function MappingLine({ row, onEdit }: { readonly row: MqttMapping; readonly onEdit: () => void }) {
  const { t } = useTranslation("companySettings");
  const { name, definition } = row;
  const run = async (call: () => Promise<{ readonly msg: string }>) => {
    await call().then(
      ({ msg }) => snack(msg),
      // Told by the call itself.
      () => undefined,
    );
    await refetch(mappings.list);
  };
  const remove = async () => {
    const isSure = await confirm({
      title: t("mqtt.removeTitle", { name }),
      text: t("mqtt.removeText"),
      action: t("mqtt.removeAction"),
      isHarmful: true,
    });
    if (isSure) await run(() => exchange(mappings.remove, { body: { topic: definition.topic } }));
  };
  return (
    <SettingsRow title={name} text={definition.topic}>
      <Switch
        checked={row.is_active}
        onChange={({ currentTarget: { checked } }) =>
          void run(() => exchange(mappings.save, { body: { name, definition, is_active: checked } }))
        }
      >
        <span className="visually-hidden">{t("mqtt.on", { name })}</span>
      </Switch>
      <IconButton icon="edit" label={t("mqtt.edit", { name })} onClick={onEdit} />
      <IconButton icon="trash" label={t("mqtt.remove", { name })} onClick={() => void remove()} />
    </SettingsRow>
  );
}

interface FormProps {
  readonly edited: MqttMapping | null;
  readonly onSaved: () => void;
}

function MappingForm({ edited, onSaved }: FormProps) {
  const { t } = useTranslation("companySettings");
  const [name, setName] = useState(edited?.name ?? "");
  const [text, setText] = useState(written(edited?.definition ?? example));
  const { definition, wrongAt } = parsed(text);
  const fault = wrongAt === undefined ? t("mqtt.notJson") : t("mqtt.wrongAt", { path: wrongAt });
  const save = async () => {
    if (!definition || name.trim() === "") return;
    const body = { name, definition, is_active: edited?.is_active ?? true };
    const saved = await exchange(mappings.save, { body }).catch(() => undefined);
    if (!saved) return;
    snack(saved.msg);
    await refetch(mappings.list);
    onSaved();
  };
  return (
    <SettingsSection title={edited?.name ?? t("mqtt.new")}>
      <TextField
        label={t("mqtt.name")}
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
        maxLength={255}
        autoComplete="off"
        isRequired
      />
      <Field label={t("mqtt.definition")} hint={t("mqtt.hint")} error={definition ? undefined : fault}>
        {(wired) => (
          <span className="input mqtt-definition">
            <textarea
              {...wired}
              rows={12}
              spellCheck={false}
              value={text}
              onChange={({ currentTarget: { value } }) => setText(value)}
            />
          </span>
        )}
      </Field>
      <div className="mqtt-actions">
        <Button kind="primary" disabled={!definition || name.trim() === ""} onClick={() => void save()}>
          {t("mqtt.save")}
        </Button>
        {edited ? <Button onClick={onSaved}>{t("mqtt.cancel")}</Button> : null}
      </div>
      {definition ? <Trial definition={definition} /> : null}
    </SettingsSection>
  );
}

/** What the definition makes of a message; nothing is stored. */
function Trial({ definition }: { readonly definition: MappingDefinition }) {
  const { t } = useTranslation("companySettings");
  const [topic, setTopic] = useState("");
  const [payload, setPayload] = useState("");
  const [outcome, setOutcome] = useState("");
  const tryIt = async () => {
    const body = { definition, topic, payload };
    const answer = await exchange(mappings.test, { body }).catch(() => undefined);
    if (!answer) return;
    const { device, values, error } = answer.data;
    const shown = Object.entries(values).map(([field, value]) => `${field} = ${String(value)}`);
    setOutcome(error ?? t("mqtt.result", { device: device ?? "", values: shown.join(", ") }));
  };
  return (
    <>
      <TextField
        label={t("mqtt.tryTopic")}
        value={topic}
        onChange={({ currentTarget: { value } }) => setTopic(value)}
      />
      <TextField
        label={t("mqtt.tryPayload")}
        value={payload}
        onChange={({ currentTarget: { value } }) => setPayload(value)}
      />
      <div className="mqtt-actions">
        <Button onClick={() => void tryIt()}>{t("mqtt.tryIt")}</Button>
      </div>
      <output>{outcome}</output>
    </>
  );
}

/** The definition, or which part of it is wrong; without a place it is no JSON at all. */
function parsed(text: string): { readonly definition?: MappingDefinition; readonly wrongAt?: string } {
  try {
    const found = MappingDefinition.safeParse(JSON.parse(text));
    if (found.success) return { definition: found.data };
    return { wrongAt: found.error.issues[0]?.path.join(".") ?? "" };
  } catch {
    return {};
  }
}
