import { codecBounds, codecs, type DeviceModel, type PayloadCodec } from "@metrum/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange, refetch } from "#lib/call";
import { Button } from "#ui/button";
import { TextField } from "#ui/field";
import { snack } from "#ui/snackbar";
import { CodecTest } from "./CodecTest.tsx";
import { fieldMapOf, payloadOf, type Draft } from "./draft.ts";
import { FieldMapEditor, resourceKeyOf } from "./FieldMapEditor.tsx";
import { SourceField } from "./SourceField.tsx";

interface Props {
  readonly start: Draft;
  readonly model: DeviceModel | undefined;
  readonly mayChange: boolean;
  readonly onChanged: (isChanged: boolean) => void;
  readonly onSaved: (codec: PayloadCodec) => void;
}

/** The text of a codec with its map and a payload to try it on. Saving makes a new version, which is not yet the active one. */
export function CodecEditor({ start, model, mayChange, onChanged, onSaved }: Props) {
  const { t } = useTranslation("codecs");
  const [draft, setDraft] = useState(start);
  const [isBusy, setBusy] = useState(false);
  const change = (next: Partial<Draft>) => {
    setDraft({ ...draft, ...next });
    onChanged(true);
  };
  const save = async (is_active: boolean) => {
    setBusy(true);
    const payload = payloadOf(draft.payload) ?? "";
    const body = {
      ...(draft.id === null ? {} : { id: draft.id }),
      name: draft.name,
      model_id: draft.model_id,
      source_code: draft.source,
      field_map: fieldMapOf(draft.map),
      test_payloads: payload === "" ? [] : [{ payload, fport: draft.fport }],
      ...(is_active ? { is_active } : {}),
    };
    await exchange(codecs.save, { body }).then(
      async ({ data, msg }) => {
        await refetch(codecs.list);
        snack(msg);
        onSaved(data.codec);
      },
      // Told by the call itself.
      () => undefined,
    );
    setBusy(false);
  };
  const canSave = mayChange && !isBusy && draft.name.trim() !== "" && draft.source.trim() !== "";
  return (
    <div className="codecs-editor">
      <TextField
        label={t("name")}
        value={draft.name}
        maxLength={255}
        disabled={!mayChange}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <SourceField
        value={draft.source}
        longest={codecBounds.source}
        isReadOnly={!mayChange}
        onValue={(source) => change({ source })}
      />
      <FieldMapEditor
        map={draft.map}
        model={model}
        isReadOnly={!mayChange}
        onMap={(map) => change({ map })}
      />
      {mayChange ? (
        <>
          <CodecTest draft={draft} resource={resourceKeyOf(model)} onDraft={change} />
          <div className="codecs-actions">
            <Button disabled={!canSave} onClick={() => void save(false)}>
              {t("save")}
            </Button>
            <Button kind="primary" disabled={!canSave} isBusy={isBusy} onClick={() => void save(true)}>
              {t("saveActive")}
            </Button>
          </div>
        </>
      ) : null}
    </div>
  );
}
