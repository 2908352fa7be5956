import type { PollGroup } from "@metrum/contract/headend";

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

export const aGroup = (more: Partial<PollGroup> = {}): PollGroup => ({
  id: 7,
  name: "Feeders",
  model_id: 120,
  model_title: "Mercury 230",
  connection_type: "polled",
  device_interface_id: 4,
  poll_params: { time_shift: 30 },
  autoload_params: { is_active: true },
  selected_data: {},
  is_active: true,
  poll_one: false,
  report_period_update: 3600,
  warning_report_period: 10_800,
  device_ids: [11, 12],
  device_count: 240,
  last_run_at: 1_800_000_000,
  next_run_at: 1_800_003_600,
  answered_count: 202,
  success_rate: 202 / 240,
  ...more,
});
