import { MappingDefinition, mappings, type MqttMapping } from "@metrum/contract/headend";
import { useTranslation } from "react-i18next";
import { exchange, refetch } from "#lib/call";
import { IconButton } from "#ui/button";
import { Field, TextField } from "#ui/field";
import { useForm } from "#ui/form";
import { SettingsForm } from "#ui/settings";
import { MappingTrial } from "./MappingTrial.tsx";

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

/** A new or existing mapping, with a trial on a message. */
export function MappingForm({ edited, onClose }: Props) {
  const { t } = useTranslation("companySettings");
  const form = useForm({
    stored: { name: edited?.name ?? "", text: written(edited?.definition ?? example) },
    required: ["name"],
    names: { definition: "text" },
    check: ({ text }) => ({ text: parsed(text).definition ? undefined : "notJson" }),
    words: (code, field) => {
      if (field === "text") return code === "device_once" ? t("mqtt.deviceOnce") : undefined;
      return code === "required" ? t("mqtt.nameNeeded") : undefined;
    },
    send: ({ name, text }, options) => {
      const body = {
        name,
        definition: parsed(text).definition ?? example,
        is_active: edited?.is_active ?? true,
      };
      return exchange(mappings.save, { body }, options);
    },
    onSaved: async () => {
      await refetch(mappings.list);
      onClose();
    },
  });
  const { definition, wrongAt } = parsed(form.values.text);
  const notRead = wrongAt === undefined ? t("mqtt.notJson") : t("mqtt.wrongAt", { path: wrongAt });
  const text = form.field("text");
  return (
    <>
      <SettingsForm
        title={edited?.name ?? t("mqtt.new")}
        actions={<IconButton icon="close" label={t("mqtt.close")} onClick={onClose} />}
        form={form}
        onDiscard={onClose}
      >
        <TextField
          label={t("mqtt.name")}
          {...form.field("name")}
          maxLength={255}
          autoComplete="off"
          autoFocus
        />
        <Field label={t("mqtt.definition")} hint={t("mqtt.hint")} error={definition ? text.error : notRead}>
          {(wired) => (
            <span className="input mqtt-definition">
              <textarea
                {...wired}
                rows={13}
                spellCheck={false}
                value={text.value}
                onChange={(event) => text.onValue(event.currentTarget.value)}
              />
            </span>
          )}
        </Field>
      </SettingsForm>
      {definition ? <MappingTrial definition={definition} /> : null}
    </>
  );
}

/** The definition, or the path of its error; without a path the text is not JSON. */
function parsed(text: string): { readonly definition?: MappingDefinition; readonly wrongAt?: string } {
  try {
    const found = MappingDefinition.safeParse(JSON.parse(text));
    if (found.success) return { definition: found.data };
    return { wrongAt: found.error.issues[0]?.path.join(".") ?? "" };
  } catch {
    return {};
  }
}
