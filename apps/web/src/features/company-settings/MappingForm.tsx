import { MappingDefinition, mappings, type MqttMapping } from "@metrum/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, exchange, refetch } from "#lib/call";
import { IconButton } from "#ui/button";
import { Field, TextField } from "#ui/field";
import { SettingsForm } from "#ui/settings";
import { snack } from "#ui/snackbar";
import { MappingTrial } from "./MappingTrial.tsx";
import { useDraft } from "./useDraft.ts";

const example: MappingDefinition = {
  topic: "sensors/{device}/state",
  time: { path: "time", format: "seconds" },
  values: [{ path: "data.temperature", field: "temperature", factor: 1 }],
};
const written = (definition: MappingDefinition): string => JSON.stringify(definition, null, 2);

interface Props {
  readonly edited: MqttMapping | null;
  readonly onClose: () => void;
}

/** A new mapping, or one that is there, and a trial of it on a message. */
export function MappingForm({ edited, onClose }: Props) {
  const { t } = useTranslation("companySettings");
  const start = { name: edited?.name ?? "", text: written(edited?.definition ?? example) };
  const { draft, set, isDirty } = useDraft(start);
  const [isTried, setTried] = useState(false);
  const [isSaving, setSaving] = useState(false);
  /** The field that the server has refused in the text as it stands. */
  const [refused, setRefused] = useState<string>();
  const { definition, wrongAt } = parsed(draft.text);
  const isNameless = draft.name.trim() === "";
  const save = async () => {
    setTried(true);
    if (!definition || isNameless) return;
    setSaving(true);
    const body = { name: draft.name, definition, is_active: edited?.is_active ?? true };
    const saved = await exchange(mappings.save, { body }).catch((error: unknown) => {
      setRefused(error instanceof ApiError ? Object.keys(error.attributes)[0] : undefined);
    });
    setSaving(false);
    if (!saved) return;
    snack(saved.msg);
    await refetch(mappings.list);
    onClose();
  };
  const fault = (): string | undefined => {
    if (!definition) return wrongAt === undefined ? t("mqtt.notJson") : t("mqtt.wrongAt", { path: wrongAt });
    if (refused === "definition.values") return t("mqtt.unknownField");
    return refused === undefined ? undefined : t("mqtt.deviceOnce");
  };
  return (
    <>
      <SettingsForm
        title={edited?.name ?? t("mqtt.new")}
        actions={<IconButton icon="close" label={t("mqtt.close")} onClick={onClose} />}
        isDirty={isDirty}
        isSaving={isSaving}
        onSave={() => void save()}
        onDiscard={onClose}
        checksEmpty={edited === null}
      >
        <TextField
          label={t("mqtt.name")}
          value={draft.name}
          onChange={({ currentTarget: { value } }) => set("name", value)}
          error={isTried && isNameless ? t("mqtt.nameNeeded") : undefined}
          maxLength={255}
          autoComplete="off"
          autoFocus
          isRequired
        />
        <Field label={t("mqtt.definition")} hint={t("mqtt.hint")} error={fault()}>
          {(wired) => (
            <span className="input mqtt-definition">
              <textarea
                {...wired}
                rows={13}
                spellCheck={false}
                value={draft.text}
                onChange={({ currentTarget: { value } }) => {
                  setRefused(undefined);
                  set("text", value);
                }}
              />
            </span>
          )}
        </Field>
      </SettingsForm>
      {definition ? <MappingTrial definition={definition} /> : null}
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
