// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "../src/Auction.sol";

contract AuctionTest {
    Auction auction;

    function setUp() public {
        auction = new Auction();
    }

    function test_bids() public {
        auction.bid(5, false);
        auction.bid(50, true);
        auction.bid(20, false);
        auction.next();
        try auction.bid(1, false) {
            revert("bid");
        } catch {}
        auction.next();
        require(auction.best() == 2);
        (uint256[] memory ids, uint256 sum) = auction.mine(address(this));
        require(ids.length == 3 && sum == 75);
    }

    function test_rank() public view {
        require(bytes(auction.rank(200)).length == 6);
        require(bytes(auction.rank(1)).length == 3);
    }
}
