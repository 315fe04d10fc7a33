-- SPDX-License-Identifier: Apache-2.0
-- All that is ever done to a named semaphore, each in one step.
--
-- KEYS: cfg hold held wait wlive slot wmeta, all with the name as their hash tag.
-- ARGV: the operation, the prefix of the channels, the calling process, then what the operation needs.
-- Times are milliseconds of this server. Every operation may be repeated: ids are made by clients.
local CFG, HOLD, HELD, WAIT, WLIVE, SLOT, WMETA = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local OP, CHANNELS, PROCESS = ARGV[1], ARGV[2], ARGV[3]
local SLICE = 64          -- as much as one call does of what others have left
local CLAIM = 5000        -- how long a grant that was pushed waits for its process
local DAY = 86400000

local clock = redis.call('TIME')
local micros = tonumber(clock[1]) * 1000000 + tonumber(clock[2])
local stored = redis.call('HMGET', CFG, 'limit', 'declared', 'used', 'token', 'ticket', 'time', 'keep', 'shift')
local limit, declared = tonumber(stored[1]), tonumber(stored[2])
local used, token, ticket = tonumber(stored[3] or '0'), tonumber(stored[4] or '0'), tonumber(stored[5] or '0')
local seen, keep = tonumber(stored[6] or '0'), tonumber(stored[7] or '0')
local shift = tonumber(stored[8] or '0')
local changed = false
-- A clock that is set back must not end anything early, nor make it last until the clock is where it was: time goes on from what was seen last,
-- until the clock has caught up.
local now = math.floor(micros / 1000)
if now >= seen then
  shift = 0
else
  if now + shift < seen then
    shift = seen - now
    changed = true
  end
  now = now + shift
end

local function number(n)
  return string.format('%.0f', n)
end

local function count(what, n)
  redis.call('HINCRBY', CFG, what, n)
  changed = true
end

local function tell(process, kind, id)
  redis.call('PUBLISH', CHANNELS .. process, kind .. '\n' .. id)
end

-- held: permits, slots, token, hard deadline (0: none), process, label, granted at, window, ttl that begins when it is claimed (0: none),
-- whether it is claimed (1) or was only pushed (0), and, once it is revoked, the process that wants to hear when it is gone
local function grant(id, permits, window, ttl, process, label, claimed)
  local slots = {}
  for i = 1, permits do
    local free = redis.call('BITPOS', SLOT, 0)
    redis.call('SETBIT', SLOT, free, 1)
    slots[i] = free + 1
  end
  token = math.max(token + 1, micros)
  local hard, later = 0, 0
  local deadline = now + window
  if not claimed then
    -- Nobody has it yet whose time could begin.
    deadline = now + math.min(window, CLAIM)
    later = ttl
  elseif ttl > 0 then
    hard = now + ttl
  end
  if hard > 0 and hard < deadline then
    deadline = hard
  end
  local first = used == 0
  used = used + permits
  redis.call('ZADD', HOLD, number(deadline), id)
  local meta = {permits, table.concat(slots, ','), number(token), number(hard), process, label, number(now), window, later, claimed and 1 or 0}
  redis.call('HSET', HELD, id, cjson.encode(meta))
  if first then
    for _, key in ipairs({HOLD, HELD, SLOT}) do
      redis.call('PEXPIRE', key, number(keep))
    end
  end
  count('granted', 1)
  return meta
end

local function find(id)
  local text = redis.call('HGET', HELD, id)
  return text and cjson.decode(text)
end

local function drop(id, how)
  local meta = find(id)
  redis.call('ZREM', HOLD, id)
  if not meta then
    return nil
  end
  redis.call('HDEL', HELD, id)
  for slot in string.gmatch(meta[2], '%d+') do
    redis.call('SETBIT', SLOT, tonumber(slot) - 1, 0)
  end
  used = used - meta[1]
  if meta[11] then
    tell(meta[11], 'TAKEN', id)
    how = 'revoked'
  end
  count(how, 1)
  return meta
end

local function leave(id)
  redis.call('ZREM', WLIVE, id)
  redis.call('HDEL', WMETA, id)
  changed = true
  return redis.call('ZREM', WAIT, id)
end

-- wmeta: permits, window, ttl, process, label, entered at
local function pump()
  for _ = 1, SLICE do
    local id = redis.call('ZRANGE', WAIT, 0, 0)[1]
    if not id then
      return
    end
    local live = tonumber(redis.call('ZSCORE', WLIVE, id) or '0')
    local text = redis.call('HGET', WMETA, id)
    if live < now or not text then
      leave(id)
    else
      local meta = cjson.decode(text)
      if meta[1] > limit then
        leave(id)
        tell(meta[4], 'REFUSED', id)
      elseif meta[1] <= limit - used then
        leave(id)
        grant(id, meta[1], meta[2], meta[3], meta[4], meta[5], false)
        tell(meta[4], 'GRANTED', id)
      else
        return
      end
    end
  end
end

local reaped = {}

local function reap()
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', HOLD, '-inf', number(now), 'LIMIT', 0, SLICE)) do
    drop(id, 'expired')
    reaped[id] = true
    changed = true
  end
  if used ~= 0 and redis.call('EXISTS', HOLD) == 0 then
    -- Whatever went wrong, it is over.
    used = 0
    redis.call('DEL', HELD, SLOT)
    changed = true
  end
end

local function save()
  if not limit or not changed then
    return
  end
  redis.call('HSET', CFG, 'limit', limit, 'declared', declared, 'used', used, 'token', number(token),
    'ticket', number(ticket), 'time', number(now), 'keep', number(keep), 'shift', number(shift))
  redis.call('PEXPIRE', CFG, number(keep))
  if used <= 0 and redis.call('EXISTS', HOLD) == 0 then
    redis.call('DEL', SLOT, HELD)
  end
  if redis.call('EXISTS', WAIT) == 0 then
    redis.call('DEL', WLIVE, WMETA)
  end
end

-- How long until somebody else's permits may be free without anybody's doing.
local function untilNext()
  local next = redis.call('ZRANGE', HOLD, 0, 0, 'WITHSCORES')[2]
  return next and math.max(0, tonumber(next) - now) or -1
end

local function remaining(meta)
  local hard = tonumber(meta[4])
  return hard > 0 and hard - now or -1
end

-- Renews what is held, up to its hard deadline. What is revoked is not renewed.
local function renew(id, meta, window)
  if meta[10] == 0 then
    if meta[9] > 0 then
      meta[4] = number(now + meta[9])
    end
    meta[9], meta[10] = 0, 1
    redis.call('HSET', HELD, id, cjson.encode(meta))
  end
  local deadline = now + window
  local hard = tonumber(meta[4])
  if hard > 0 and hard < deadline then
    deadline = hard
  end
  redis.call('ZADD', HOLD, 'XX', number(deadline), id)
end

local function held(id, meta)
  return {'G', meta[3], meta[2], number(remaining(meta)), limit}
end

local operations = {}

-- id, permits, window, ttl (0: none), mode (wait or try), declared limit, policy, label, keep
function operations.acquire()
  local id, permits, window, ttl, mode = ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7]), ARGV[8]
  local asked, policy, label = tonumber(ARGV[9]), ARGV[10], ARGV[11]
  keep = math.max(keep, DAY, 3 * ttl, 3 * window, tonumber(ARGV[12]))
  changed = true
  if not limit then
    limit, declared = asked, asked
  end
  local meta = find(id)
  if meta and meta[11] then
    -- Nobody was told that it was granted: it is asked for anew.
    drop(id, 'revoked')
  elseif meta then
    renew(id, meta, window)
    return held(id, meta)
  end
  if asked ~= limit and asked ~= declared then
    if policy == 'ERROR' then
      return {'M', limit}
    elseif policy == 'OVERWRITE' then
      limit, declared = asked, asked
    end
  end
  if permits > limit then
    return {'T', limit}
  end
  pump()
  meta = find(id)
  if meta then
    renew(id, meta, window)
    return held(id, meta)
  end
  local first = redis.call('EXISTS', WAIT) == 0
  if first and permits <= limit - used then
    return held(id, grant(id, permits, window, ttl, PROCESS, label, true))
  end
  if mode == 'try' then
    count('timedout', 1)
    return {'N', untilNext()}
  end
  if not redis.call('ZSCORE', WAIT, id) then
    ticket = ticket + 1
    redis.call('ZADD', WAIT, number(ticket), id)
    redis.call('HSET', WMETA, id, cjson.encode({permits, window, ttl, PROCESS, label, number(now)}))
  end
  redis.call('ZADD', WLIVE, number(now + window), id)
  if first then
    for _, key in ipairs({WAIT, WLIVE, WMETA}) do
      redis.call('PEXPIRE', key, number(keep))
    end
  end
  return {'W', redis.call('ZRANK', WAIT, id), untilNext(), limit}
end

-- id, window
function operations.claim()
  local meta = find(ARGV[4])
  if not meta or meta[11] then
    return {'U'}
  end
  renew(ARGV[4], meta, tonumber(ARGV[5]))
  return held(ARGV[4], meta)
end

-- how (bare: what waits stays; timedout: what waits is counted so), ids
function operations.release()
  local answers = {}
  for i = 5, #ARGV do
    local id = ARGV[i]
    local meta = find(id)
    if meta and meta[10] == 0 and ARGV[4] == 'bare' then
      -- Nobody has it yet.
      answers[#answers + 1] = 'UNKNOWN'
    elseif meta then
      drop(id, 'released')
      answers[#answers + 1] = meta[11] and 'EXPIRED' or 'RELEASED'
      if meta[5] ~= PROCESS then
        tell(meta[5], 'GONE', id)
      end
    elseif ARGV[4] ~= 'bare' and leave(id) == 1 then
      answers[#answers + 1] = 'CANCELLED'
      if ARGV[4] == 'timedout' then
        count('timedout', 1)
      end
    elseif reaped[id] then
      answers[#answers + 1] = 'EXPIRED'
    else
      answers[#answers + 1] = 'UNKNOWN'
    end
  end
  if limit then
    pump()
  end
  return answers
end

-- ids and windows, in turn. Answers for each: -4 it is revoked, -3 it waits, -2 it is lost, -1 it has no end, else how long it lasts
function operations.beat()
  local answers = {}
  for i = 4, #ARGV, 2 do
    local id, window = ARGV[i], tonumber(ARGV[i + 1])
    local meta = find(id)
    if meta and meta[11] then
      answers[#answers + 1] = '-4'
    elseif meta then
      renew(id, meta, window)
      answers[#answers + 1] = number(remaining(meta))
    elseif redis.call('ZSCORE', WAIT, id) then
      redis.call('ZADD', WLIVE, number(now + window), id)
      answers[#answers + 1] = '-3'
    else
      answers[#answers + 1] = '-2'
    end
  end
  if limit then
    changed = true
    for _, key in ipairs({HOLD, HELD, SLOT, WAIT, WLIVE, WMETA}) do
      redis.call('PEXPIRE', key, number(keep))
    end
    pump()
  end
  return answers
end

-- id, ttl
function operations.extend()
  local id, ttl = ARGV[4], tonumber(ARGV[5])
  local meta = find(id)
  if not meta or meta[11] or tonumber(meta[4]) == 0 then
    return {'U'}
  end
  meta[4] = number(math.max(tonumber(meta[4]), now + ttl))
  keep = math.max(keep, 3 * ttl)
  changed = true
  redis.call('HSET', HELD, id, cjson.encode(meta))
  renew(id, meta, meta[8])
  return {'G', number(remaining(meta))}
end

-- id. Its holder says that its time is over: his clock is ahead by no more than a message needs
function operations.expire()
  local meta = find(ARGV[4])
  local hard = meta and tonumber(meta[4]) or 0
  if hard > 0 and hard - now < CLAIM then
    drop(ARGV[4], 'expired')
    pump()
  end
  return {'OK'}
end

-- new limit, declared limit, keep
function operations.resize()
  keep = math.max(keep, DAY, tonumber(ARGV[6]))
  changed = true
  limit = tonumber(ARGV[4])
  declared = declared or tonumber(ARGV[5])
  count('generation', 1)
  -- Those that are too large are refused wherever they stand.
  local at = 0
  while true do
    local ids = redis.call('ZRANGE', WAIT, at, at + SLICE - 1)
    if #ids == 0 then
      break
    end
    for _, id in ipairs(ids) do
      local meta = cjson.decode(redis.call('HGET', WMETA, id) or '[0]')
      if meta[1] > limit then
        leave(id)
        tell(meta[4], 'REFUSED', id)
      else
        at = at + 1
      end
    end
  end
  pump()
  return {'OK'}
end

-- id, whether its holder knows already (told) or is to be told (tell)
function operations.revoke()
  local id = ARGV[4]
  local meta = find(id)
  if not meta or meta[10] == 0 then
    return {'U'}
  end
  if ARGV[5] == 'told' then
    drop(id, 'revoked')
    pump()
    return {'OK'}
  end
  -- It is not free before its holder has said that it knows, or its window is over.
  meta[11] = PROCESS
  redis.call('HSET', HELD, id, cjson.encode(meta))
  tell(meta[5], 'LOST', id)
  return {'OK'}
end

local function details(key, names, from, to)
  local result = {}
  for _, id in ipairs(redis.call('ZRANGE', names, from, to)) do
    result[#result + 1] = id
    result[#result + 1] = redis.call('HGET', key, id) or ''
    result[#result + 1] = redis.call('ZSCORE', names, id)
  end
  return result
end

-- first rank of the page, its size (0: only counts)
function operations.inspect()
  if not limit then
    return {}
  end
  pump()
  local from, size = tonumber(ARGV[4]), tonumber(ARGV[5])
  local counts = redis.call('HMGET', CFG, 'granted', 'released', 'expired', 'revoked', 'timedout')
  for i = 1, 5 do
    counts[i] = counts[i] or '0'
  end
  local entered = -1
  local head = redis.call('ZRANGE', WAIT, 0, 0)[1]
  local text = head and redis.call('HGET', WMETA, head)
  if text then
    entered = tonumber(cjson.decode(text)[6])
  end
  local result = {limit, used, redis.call('ZCARD', HOLD), redis.call('ZCARD', WAIT), number(now), number(entered), counts}
  if size > 0 then
    result[8] = details(HELD, HOLD, from, from + size - 1)
    result[9] = details(WMETA, WAIT, from, from + size - 1)
  end
  return result
end

if limit then
  reap()
  if changed then
    pump()
  end
end
local answer = operations[OP]()
save()
return answer
