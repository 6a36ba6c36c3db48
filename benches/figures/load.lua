-- The script that benches/run gives to wrk. It prints one line of JSON at the end. By environment variables, because
-- wrk runs it once for itself and once for its thread:
--   BENCH_NAMES   sends registrations; each has an email address that begins with this
--   BENCH_RATE    begins so many requests a second, whatever the server does (otherwise: as fast as it answers)
--   BENCH_IDS     the file for the ids of the registrations that were answered with 201
local names = os.getenv("BENCH_NAMES")
local rate = tonumber(os.getenv("BENCH_RATE"))
local ids_file = os.getenv("BENCH_IDS")

-- wrk copies only globals from its thread to `done`.
stored, refused, without_retry_after, unexpected, begun, late = 0, 0, 0, 0, 0, 0

if names then
  local head, ids
  local sent = 0

  function init()
    head = table.concat({
      "POST " .. wrk.path .. " HTTP/1.1", "Host: " .. wrk.host .. ":" .. wrk.port,
      "Content-Type: application/json", "Content-Length: ",
    }, "\r\n")
    ids = ids_file and io.open(ids_file, "w")
  end

  function request()
    sent = sent + 1
    local body = string.format('{"name":"Ada Sample","email":"%s-%d@example.com","wantToCompete":false}', names, sent)
    return head .. #body .. "\r\n\r\n" .. body
  end

  function response(status, headers, body)
    if status == 201 or status == 200 then -- PocketBase answers with 200.
      stored = stored + 1
      if ids then ids:write(body:match('"id":(%d+)'), "\n") end
    elseif status == 429 or status == 503 then
      refused = refused + 1
      if not (headers["retry-after"] or headers["Retry-After"]) then without_retry_after = without_retry_after + 1 end
    else
      unexpected = unexpected + 1
    end
  end
end

if rate then
  local ffi = require("ffi")
  ffi.cdef("typedef struct { long seconds; long nanoseconds; } bench_time; int clock_gettime(int, bench_time *);")
  local time = ffi.new("bench_time")
  local began

  local function now()
    ffi.C.clock_gettime(1, time)
    return tonumber(time.seconds) + tonumber(time.nanoseconds) / 1e9
  end

  -- The milliseconds until the next request begins. All connections share one timetable. A request is late when no
  -- connection was free at its time.
  function delay()
    began = began or now()
    local wait = began + begun / rate - now()
    begun = begun + 1
    if wait < -0.01 then late = late + 1 end
    return math.max(0, math.floor(wait * 1000 + 0.5))
  end
end

local thread

function setup(only_thread)
  thread = only_thread
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format(
    '{"requests":%d,"seconds":%.6f,"bytes":%d,"p50":%.3f,"p90":%.3f,"p99":%.3f,"longest":%.3f,"failed":%d,"bad_status":%d,',
    summary.requests, summary.duration / 1e6, summary.bytes, latency:percentile(50) / 1e3, latency:percentile(90) / 1e3,
    latency:percentile(99) / 1e3, latency.max / 1e3, failed, errors.status
  ))
  io.write(string.format(
    '"stored":%d,"refused":%d,"without_retry_after":%d,"unexpected":%d,"begun":%d,"late":%d}\n',
    thread:get("stored"), thread:get("refused"), thread:get("without_retry_after"), thread:get("unexpected"),
    thread:get("begun"), thread:get("late")
  ))
end
