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
local HOUR = 3600000
local call = redis.call

local clock = call('TIME')
local micros = clock[1] * 1000000 + clock[2]
-- cfg: counters of what is rare, and two fields. state: limit, declared limit, permits in use, last token, last ticket, time, how long the keys
-- last, until when cfg does, leases granted, leases released, whether somebody waits (1), how far the clock was set back. solo: see below.
local cfg = call('HMGET', CFG, 'state', 'solo')
local LIMIT, DECLARED, USED, TOKEN, TICKET, SEEN, KEEP, UNTIL, GRANTED, RELEASED, LINE, SHIFT = string.match(cfg[1] or '',
  '^(%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d) (%d+)$')
local solo = cfg[2]
local token, keep = tonumber(TOKEN or '0'), tonumber(KEEP or '0')
local now = math.floor(micros / 1000)
-- The last time that was seen; no token is older than the grant it was made for.
local seen = math.max(tonumber(SEEN or '0'), math.floor(token / 1000))
local steady = SHIFT == '0' and now >= seen

-- The text of a large number, without losing digits. Arguments of calls do not need it.
local function number(n)
  return string.format('%.0f', n)
end

-- When a lease is over that was granted with such a token, unless it is renewed; and when it is for good (0: never).
local function ends(newest, window, ttl)
  local from = math.floor(newest / 1000)
  if ttl > 0 then
    return from + math.min(window, ttl), from + ttl
  end
  return from + window, 0
end

-- One permit where nobody holds or waits, and giving it back: most of what is ever asked for. Such a lease is kept in cfg alone, as its id,
-- process, token, window, ttl and label, and has slot 1. Whatever else is done to it first puts it where all others are.
if solo then
  if OP == 'release' and steady and #ARGV == 5 and LINE == '0' then
    local id, process, newest, window, ttl = string.match(solo, '^(%S+) (%S+) (%d+) (%d+) (%d+) ')
    if id == ARGV[5] and process == PROCESS and ends(newest, window, tonumber(ttl)) > now then
      -- First what a server without room allows, too; then it allows the rest.
      call('HDEL', CFG, 'solo')
      call('HSET', CFG, 'state', LIMIT .. ' ' .. DECLARED .. ' 0 ' .. TOKEN .. ' ' .. TICKET .. ' ' .. SEEN .. ' ' .. KEEP .. ' ' .. UNTIL
        .. ' ' .. GRANTED .. ' ' .. number(RELEASED + 1) .. ' 0 0')
      return {'RELEASED'}
    end
  end
elseif OP == 'acquire' and steady and USED == '0' and LINE == '0' and (ARGV[5] == LIMIT or ARGV[5] == DECLARED) and (ARGV[8] or '1') == '1'
    and UNTIL - keep >= now then
  if keep >= math.max(3 * ARGV[6], 3 * ARGV[7], tonumber(ARGV[11] or '0')) then
    local newest = number(math.max(token + 1, micros, now * 1000))
    call('HSET', CFG,
      'solo', ARGV[4] .. ' ' .. PROCESS .. ' ' .. newest .. ' ' .. ARGV[6] .. ' ' .. ARGV[7] .. ' ' .. (ARGV[12] or ''),
      'state', LIMIT .. ' ' .. DECLARED .. ' 1 ' .. newest .. ' ' .. TICKET .. ' ' .. SEEN .. ' ' .. KEEP .. ' ' .. UNTIL
        .. ' ' .. number(GRANTED + 1) .. ' ' .. RELEASED .. ' 0 0')
    return {'G', newest, '1', ARGV[7] ~= '0' and ARGV[7] or '-1', tonumber(LIMIT)}
  end
end

local limit, declared = tonumber(LIMIT), tonumber(DECLARED)
local used, ticket, shift = tonumber(USED or '0'), tonumber(TICKET or '0'), tonumber(SHIFT or '0')
local granted, released = tonumber(GRANTED or '0'), tonumber(RELEASED or '0')
local expiry, line = tonumber(UNTIL or '0'), LINE == '1'
local grants = granted    -- as it was
local changed = false     -- something was done at this time
local left = false        -- somebody has left the line

-- A clock that is set back must not end anything early, nor make it last until the clock is where it was: time goes on from what was seen last,
-- until the clock has caught up.
if now >= seen then
  shift = 0
else
  if now + shift < seen then
    shift = seen - now
    changed = true
  end
  now = now + shift
end

local function count(what, n)
  call('HINCRBY', CFG, what, n)
  changed = true
end

local function tell(process, kind, id)
  call('PUBLISH', CHANNELS .. process, kind .. '\n' .. id)
end

-- The keys of what is held or waits go by themselves if nobody ever comes again.
local function lasts(...)
  for _, key in ipairs({...}) do
    call('PEXPIRE', key, keep)
  end
end

local function find(id)
  local text = call('HGET', HELD, id)
  return text and cjson.decode(text)
end

-- held: permits, slots, token, hard deadline (0: none), process, label, granted at, window, ttl that begins when it is claimed (0: none),
-- whether it is claimed (1) or was only pushed (0), and, once it is revoked, the process that wants to hear when it is gone
local function hold(id, deadline, permits, slots, newest, hard, process, label, from, window, later, claimed)
  call('ZADD', HOLD, deadline, id)
  call('HSET', HELD, id, '[' .. permits .. ',"' .. slots .. '","' .. newest .. '","' .. number(hard) .. '","' .. process .. '",'
    .. (label == '' and '""' or cjson.encode(label)) .. ',"' .. number(from) .. '",' .. number(window) .. ',' .. number(later) .. ','
    .. claimed .. ']')
end

local function grant(id, permits, window, ttl, process, label, claimed)
  local first = used == 0
  local slots = ''
  for i = 1, permits do
    local free = first and i - 1 or call('BITPOS', SLOT, 0)
    call('SETBIT', SLOT, free, 1)
    slots = i == 1 and tostring(free + 1) or slots .. ',' .. (free + 1)
  end
  token = math.max(token + 1, micros, now * 1000)
  local newest = number(token)
  local deadline, hard = ends(token, window, ttl)
  if claimed then
    hold(id, deadline, permits, slots, newest, hard, process, label, now, window, 0, 1)
  else
    -- Nobody has it yet whose time could begin.
    hard = 0
    hold(id, now + math.min(window, CLAIM), permits, slots, newest, 0, process, label, now, window, ttl, 0)
  end
  used = used + permits
  if first then
    lasts(HOLD, HELD, SLOT)
  end
  granted = granted + 1
  changed = true
  return {'G', newest, slots, hard > 0 and number(ttl) or '-1', limit}
end

local function drop(id, how, known)
  local meta = known or find(id)
  call('ZREM', HOLD, id)
  if not meta then
    return
  end
  call('HDEL', HELD, id)
  used = used - meta[1]
  if meta[11] then
    how = 'revoked'
  end
  if how == 'released' then
    released = released + 1
    changed = true
  else
    count(how, 1)
  end
  if meta[11] then
    tell(meta[11], 'TAKEN', id)
  end
  -- Last: see the end of this script.
  if used <= 0 then
    call('DEL', SLOT)
  else
    for slot in string.gmatch(meta[2], '%d+') do
      call('SETBIT', SLOT, slot - 1, 0)
    end
  end
end

local function leave(id)
  call('ZREM', WLIVE, id)
  call('HDEL', WMETA, id)
  changed, left = true, true
  return call('ZREM', WAIT, id)
end

-- wmeta: permits, window, ttl, process, label, entered at
local function pump()
  for _ = 1, SLICE do
    if used >= limit then
      return
    end
    local id = call('ZRANGE', WAIT, 0, 0)[1]
    if not id then
      return
    end
    local live = tonumber(call('ZSCORE', WLIVE, id) or '0')
    local text = call('HGET', WMETA, id)
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

-- Those that are too large are refused wherever they stand.
local function refuse()
  local at = 0
  while true do
    local ids = call('ZRANGE', WAIT, at, at + SLICE - 1)
    if #ids == 0 then
      return
    end
    for _, id in ipairs(ids) do
      local meta = cjson.decode(call('HGET', WMETA, id) or '[0]')
      if meta[1] > limit then
        leave(id)
        tell(meta[4], 'REFUSED', id)
      else
        at = at + 1
      end
    end
  end
end

-- Puts a lease that is kept in cfg where all others are. Where there is no room, one who asks is refused and all else is done.
local function spread()
  local id, process, newest, window, ttl, label = string.match(solo, '^(%S+) (%S+) (%d+) (%d+) (%d+) (.*)$')
  if OP ~= 'acquire' then
    -- It is not there: but this is allowed without room, and then so is the rest.
    call('ZREM', HOLD, id)
  end
  local deadline, hard = ends(newest, tonumber(window), tonumber(ttl))
  hold(id, deadline, 1, '1', newest, hard, process, label, math.floor(newest / 1000), window, 0, 1)
  call('SETBIT', SLOT, 0, 1)
  lasts(HOLD, HELD, SLOT)
  call('HDEL', CFG, 'solo')
end

local reaped = {}

local function reap()
  local first = call('ZRANGE', HOLD, 0, 0, 'WITHSCORES')[2]
  if first and tonumber(first) > now then
    return
  end
  for _, id in ipairs(call('ZRANGEBYSCORE', HOLD, '-inf', now, 'LIMIT', 0, SLICE)) do
    drop(id, 'expired')
    reaped[id] = true
    changed = true
  end
  if used ~= 0 and call('EXISTS', HOLD) == 0 then
    -- Whatever went wrong, it is over.
    used = 0
    call('DEL', HELD, SLOT)
    changed = true
  end
end

local function save()
  if not limit then
    return
  end
  if changed then
    seen = now
  end
  if left and call('EXISTS', WAIT) == 0 then
    call('DEL', WLIVE, WMETA)
    line = false
  end
  local late = changed and expiry < now + keep
  if late then
    expiry = now + keep + HOUR
  end
  local state = number(limit) .. ' ' .. number(declared) .. ' ' .. number(used) .. ' ' .. number(token) .. ' ' .. number(ticket) .. ' '
    .. number(seen) .. ' ' .. number(keep) .. ' ' .. number(expiry) .. ' ' .. number(granted) .. ' ' .. number(released)
    .. (line and ' 1 ' or ' 0 ') .. number(shift)
  if state ~= cfg[1] then
    call('HSET', CFG, 'state', state)
  end
  if late then
    call('PEXPIRE', CFG, keep + HOUR)
  end
end

-- How long until somebody else's permits may be free without anybody's doing.
local function untilNext()
  local next = call('ZRANGE', HOLD, 0, 0, 'WITHSCORES')[2]
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
    call('HSET', HELD, id, cjson.encode(meta))
  end
  local deadline = now + window
  local hard = tonumber(meta[4])
  if hard > 0 and hard < deadline then
    deadline = hard
  end
  call('ZADD', HOLD, 'XX', deadline, id)
end

local function held(id, meta)
  return {'G', meta[3], meta[2], number(remaining(meta)), limit}
end

local operations = {}

-- id, declared limit, window, ttl (0: none); then, as far as it differs from this: permits (1), mode (wait; or try), policy (ERROR),
-- how long the name is to be kept (0), label (none)
function operations.acquire()
  local id, asked, window, ttl = ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
  local permits, mode, policy, label = tonumber(ARGV[8] or '1'), ARGV[9] or 'wait', ARGV[10] or 'ERROR', ARGV[12] or ''
  keep = math.max(keep, DAY, 3 * ttl, 3 * window, tonumber(ARGV[11] or '0'))
  changed = true
  if not limit then
    limit, declared = asked, asked
  end
  local meta = find(id)
  if meta and meta[11] then
    -- Nobody was told that it was granted: it is asked for anew.
    drop(id, 'revoked', meta)
  elseif meta then
    renew(id, meta, window)
    return held(id, meta)
  end
  if asked ~= limit and asked ~= declared then
    if policy == 'ERROR' then
      return {'M', limit}
    elseif policy == 'OVERWRITE' then
      limit, declared = asked, asked
      refuse()
    end
  end
  if permits > limit then
    return {'T', limit}
  end
  pump()
  if granted ~= grants then
    meta = find(id)
    if meta then
      renew(id, meta, window)
      return held(id, meta)
    end
  end
  local first = not line or call('EXISTS', WAIT) == 0
  line = not first
  if first and permits <= limit - used then
    return grant(id, permits, window, ttl, PROCESS, label, true)
  end
  if mode == 'try' then
    count('timedout', 1)
    return {'N'}
  end
  if first or not call('ZSCORE', WAIT, id) then
    ticket = ticket + 1
    call('ZADD', WAIT, ticket, id)
    call('HSET', WMETA, id, cjson.encode({permits, window, ttl, PROCESS, label, number(now)}))
    line = true
  end
  call('ZADD', WLIVE, now + window, id)
  if first then
    lasts(WAIT, WLIVE, WMETA)
  end
  return {'W', untilNext()}
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
      drop(id, 'released', meta)
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
    elseif call('ZSCORE', WAIT, id) then
      call('ZADD', WLIVE, now + window, id)
      answers[#answers + 1] = '-3'
    else
      answers[#answers + 1] = '-2'
    end
  end
  if limit then
    changed = true
    lasts(HOLD, HELD, SLOT, WAIT, WLIVE, WMETA)
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
  call('HSET', HELD, id, cjson.encode(meta))
  renew(id, meta, meta[8])
  return {'G', number(remaining(meta))}
end

-- id. Its holder says that its time is over: his clock is ahead by no more than a message needs
function operations.expire()
  local meta = find(ARGV[4])
  local hard = meta and tonumber(meta[4]) or 0
  if hard > 0 and hard - now < CLAIM then
    drop(ARGV[4], 'expired', meta)
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
  refuse()
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
    drop(id, 'revoked', meta)
    pump()
    return {'OK'}
  end
  -- It is not free before its holder has said that it knows, or its window is over.
  meta[11] = PROCESS
  call('HSET', HELD, id, cjson.encode(meta))
  tell(meta[5], 'LOST', id)
  return {'OK'}
end

local function details(key, names, from, to)
  local result = {}
  for _, id in ipairs(call('ZRANGE', names, from, to)) do
    result[#result + 1] = id
    result[#result + 1] = call('HGET', key, id) or ''
    result[#result + 1] = call('ZSCORE', names, id)
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
  local counts = call('HMGET', CFG, 'expired', 'revoked', 'timedout')
  counts = {number(granted), number(released), counts[1] or '0', counts[2] or '0', counts[3] or '0'}
  local entered = -1
  local head = call('ZRANGE', WAIT, 0, 0)[1]
  local text = head and call('HGET', WMETA, head)
  if text then
    entered = tonumber(cjson.decode(text)[6])
  end
  local result = {limit, used, call('ZCARD', HOLD), call('ZCARD', WAIT), number(now), number(entered), counts}
  if size > 0 then
    result[8] = details(HELD, HOLD, from, from + size - 1)
    result[9] = details(WMETA, WAIT, from, from + size - 1)
  end
  return result
end

local function run()
  if solo then
    spread()
  end
  if used ~= 0 then
    reap()
    if changed then
      pump()
    end
  end
  return operations[OP]()
end

-- While a slot moves to another node of a cluster, the server stops a script at a key that is not there, even one that the script itself has
-- just emptied. What was done until then stays done, so it is written down; whoever has asked is told, and asks again.
local done, answer = pcall(run)
left = left and done
save()
if not done then
  error(answer, 0)
end
return answer
