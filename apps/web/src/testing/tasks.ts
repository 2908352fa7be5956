/** A task for device 7 that has not ended. */
export const aTask = {
  id: 31,
  title: "Суточный архив, 20.11.2026",
  title_en: "Daily archive, 20.11.2026",
  command_type: "control",
  status_id: 1,
  device_ids: [7],
  created_at: 1_800_000_000,
  expires_at: 1_800_086_400,
  ended_at: null,
  user_id: 1,
  user_name: "Bat",
  device_count: 1,
  done_count: 0,
  failed_count: 0,
} as const;

/** The outcome of a task for device 7. */
export const aResult = {
  device_id: 7,
  device_name: "School 4",
  model: "Mercury 230",
  place: "",
  status_id: 3,
  result_code: 0,
  message: "",
  started_at: 1_800_000_001,
  ended_at: 1_800_000_002,
  holes_asked: null,
  holes_filled: null,
  rows_received: null,
};
