// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Auction {
    enum Phase {
        Open,
        Reveal,
        Closed
    }

    struct Bid {
        address who;
        uint96 amount;
        bool hidden;
    }

    Phase public phase;
    Bid[] public bids;
    mapping(address => uint256[]) internal byBidder;
    uint256 public best;
    int256 internal score = -1;

    event Placed(uint256 indexed id, address who);

    error WrongPhase(Phase now_, Phase wanted);

    modifier during(Phase wanted) {
        _check(wanted);
        _;
    }

    function _check(Phase wanted) internal view {
        if (phase != wanted) {
            revert WrongPhase(phase, wanted);
        }
    }

    function bid(uint96 amount, bool hidden) public during(Phase.Open) returns (uint256 id) {
        require(amount > 0 && amount < 1000, "amount");
        id = bids.length;
        bids.push(
            Bid({
                who: msg.sender,
                amount: amount,
                hidden: hidden
            })
        );
        byBidder[msg.sender].push(id);
        emit Placed(
            id,
            msg.sender
        );
    }

    function next() external {
        if (phase == Phase.Open) {
            phase = Phase.Reveal;
        } else if (phase == Phase.Reveal) {
            phase = Phase.Closed;
            _settle();
        } else {
            revert("over");
        }
    }

    function _settle() private {
        uint256 length = bids.length;
        uint256 top;
        for (uint256 i; i < length; ++i) {
            Bid storage each = bids[i];
            if (each.hidden) {
                continue;
            }
            if (each.amount > top) {
                top = each.amount;
                best = i;
            }
        }
        score = top > 100 ? int256(1) : int256(0);
    }

    function mine(address who) external view returns (uint256[] memory ids, uint256 sum) {
        ids = byBidder[who];
        uint256 i = 0;
        while (i < ids.length) {
            sum += bids[ids[i]].amount;
            i++;
            if (i > 10) break;
        }
    }

    function rank(uint256 amount) external pure returns (string memory) {
        if (amount > 500) return "high";
        else if (amount > 100) return "middle";
        return "low";
    }

    function reset() external during(Phase.Closed) {
        delete bids;
        best = 0;
        phase = Phase.Open;
    }

    function never(uint256 n) external {
        do {
            n /= 2;
        } while (n > 0);
        assert(n == 0);
        bid(uint96(n), false);
    }
}
