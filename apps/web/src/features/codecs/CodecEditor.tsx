import { codecBounds, codecs, type DeviceModel, type PayloadCodec } from "@metrum/contract/metering";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { exchange, refetch } from "#lib/call";
import { Button } from "#ui/button";
import { TextField } from "#ui/field";
import { useForm, useUnsaved } from "#ui/form";
import { CodecTest } from "./CodecTest.tsx";
import { fieldMapOf, testPayloadsOf, type Draft } from "./draft.ts";
import { FieldMapEditor, resourceKeyOf } from "./FieldMapEditor.tsx";
import { SourceField } from "./SourceField.tsx";

interface Values extends Draft {
  readonly is_active: boolean;
}

interface Props {
  readonly start: Draft;
  readonly model: DeviceModel | undefined;
  readonly mayChange: boolean;
  readonly onChanged: (isChanged: boolean) => void;
  readonly onSaved: (codec: PayloadCodec) => void;
}

function bodyOf(draft: Values) {
  const { id, name, model_id, source, map, is_active } = draft;
  return {
    ...(id === null ? {} : { id }),
    name,
    model_id,
    source_code: source,
    field_map: fieldMapOf(map),
    test_payloads: [...testPayloadsOf(draft)],
    ...(is_active ? { is_active } : {}),
  };
}

/**
 * Editor of a codec with its field map and a test payload. Saving creates a new version, which is not yet the
 * active one.
 */
export function CodecEditor({ start, model, mayChange, onChanged, onSaved }: Props) {
  const { t } = useTranslation("codecs");
  const form = useForm({
    stored: { ...start, is_active: false },
    required: ["name", "source"],
    names: { source_code: "source", field_map: "map", test_payloads: "payload" },
    send: (values, options) => exchange(codecs.save, { body: bodyOf(values) }, options),
    onSaved: async ({ codec }) => {
      await refetch(codecs.list);
      onSaved(codec);
    },
  });
  useUnsaved(form.isDirty && !form.isBusy);
  useEffect(() => onChanged(form.isDirty), [form.isDirty]);
  const { values: draft, set, isBusy } = form;
  const isWhole = draft.name.trim() !== "" && draft.source.trim() !== "";
  const canSave = mayChange && !isBusy && isWhole;
  return (
    <div className="codecs-editor">
      <TextField label={t("name")} {...form.field("name")} maxLength={255} disabled={!mayChange} />
      <SourceField {...form.field("source")} longest={codecBounds.source} isReadOnly={!mayChange} />
      <FieldMapEditor map={draft.map} model={model} isReadOnly={!mayChange} onMap={(map) => set({ map })} />
      {mayChange ? (
        <>
          <CodecTest draft={draft} resource={resourceKeyOf(model)} onDraft={set} />
          <div className="codecs-actions">
            <Button disabled={!canSave} onClick={() => void form.submit()}>
              {t("save")}
            </Button>
            <Button
              kind="primary"
              disabled={!canSave}
              isBusy={isBusy}
              onClick={() => void form.submit({ is_active: true })}
            >
              {t("saveActive")}
            </Button>
          </div>
        </>
      ) : null}
    </div>
  );
}
